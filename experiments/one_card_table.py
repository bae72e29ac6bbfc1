"""Write the table of equilibrium bids in the one-card round that the agents use: a few seconds.

    python experiments/one_card_table.py

solves the round for 3 to 7 players (`ohpshaw_sim.exact.one_card_equilibrium`) and writes
`agents/ohpshaw_agents/_one_card_table.py`. The same table comes out every time.
"""

import textwrap
from pathlib import Path
from typing import Final

from ohpshaw_sim.exact.one_card_equilibrium import lowest_ranks
from ohpshaw_sim.rules import PLAYERS

TABLE: Final = Path(__file__).resolve().parents[1] / "agents" / "ohpshaw_agents" / "_one_card_table.py"
_HEAD: Final = '''"""Equilibrium bids of the one-card round, written by `experiments/one_card_table.py`.

One hexadecimal digit a case, the lowest rank that bids 1 (15 = none does): by players 3 to 7; by the bids heard, eldest
hand's none first, then the 2 of the next seat, the 4 of the one after it (the first bid counts most); by the rank of
the turn-up, two to ace; for plain cards, then for trumps.
"""

from typing import Final

LOWEST_RANKS: Final = (
'''


def table_text() -> str:
    """Return the module's text."""
    digits = "".join(f"{rank:x}" for players in PLAYERS for rank in lowest_ranks(players).ravel().tolist())
    return _HEAD + "".join(f'    "{line}"\n' for line in textwrap.wrap(digits, 104)) + ")\n"


if __name__ == "__main__":
    TABLE.write_text(table_text(), "utf-8")
