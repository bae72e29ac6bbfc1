"""Research and simulation toolkit for bots of the card game Oh Pshaw.

Rules            `Rules`, `PRESETS`, `read_rules("wizard:max_hand=5")` and back with `rules_text(rules)`
Cards            `parse_card`, `parse_cards`, `format_card`, `format_cards`
Agents           `resolve(name)`, `builtin_agents()`; to write one: `CompiledAgent`, or a class with bid and play
Playing          `play_match` for one match, `play_sets` for exact sums over many, `Round` to step one round
Referee          `judge(record)`, `read_records(path)`, `record_of_round(round, rules)`: rounds written down;
                 `score_sheet(read_sheet(text, name))`: score sheets
Tournaments      `run_tournament(agents, ...)` plays into a run folder, `load_run(folder)` reads it, `make_tables(run)`
                 gives its tables as DataFrames
Comparisons      `compare(one, other, ...)` plays until it is decided which is better, `plan_comparison` says how long
                 that is going to take
Small rounds     `exploit(agent, SmallGame(rules, players, hand_size))`: what an agent leaves to be taken, exactly

Names are imported when they are first used, so that `import ohpshaw_sim` and the command's help are instant.

>>> import ohpshaw_sim
>>> ohpshaw_sim.format_cards(ohpshaw_sim.parse_cards("10♥ ah 2c"), symbols=True)
'T♥ A♥ 2♣'
>>> ohpshaw_sim.Rules().schedule_for(players=5)
(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
>>> deal = {"players": 3, "dealer": 2, "hand_size": 1, "turn_up": "2S", "hands": ["AS", "KS", "QS"]}
>>> ohpshaw_sim.judge(deal | {"bids": [1, 0, 0], "plays": "AS KS QS"}).scores
(11, 10, 10)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ohpshaw_sim.analysis.run import Run, load_run
    from ohpshaw_sim.analysis.tables import make_tables
    from ohpshaw_sim.api import run_tournament
    from ohpshaw_sim.cards import format_card, format_cards, parse_card, parse_cards
    from ohpshaw_sim.comparing.planning import plan_comparison
    from ohpshaw_sim.comparing.playing import compare
    from ohpshaw_sim.engine.endings import solve
    from ohpshaw_sim.engine.lineup import Game
    from ohpshaw_sim.engine.play import play_sets
    from ohpshaw_sim.engine.positions import Position
    from ohpshaw_sim.engine.round import Round
    from ohpshaw_sim.engine.single import Match, play_match
    from ohpshaw_sim.errors import AgentError, ConflictError, IllegalError, MalformedError, OhPshawError
    from ohpshaw_sim.exact.exploit import exploit
    from ohpshaw_sim.exact.small_game import SmallGame
    from ohpshaw_sim.interface.agent import CompiledAgent
    from ohpshaw_sim.interface.discovery import Entrant, builtin_agents, resolve
    from ohpshaw_sim.records.ending_at import position_of
    from ohpshaw_sim.records.files import read_records
    from ohpshaw_sim.records.judge import judge
    from ohpshaw_sim.records.sheet_reading import read_sheet
    from ohpshaw_sim.records.sheet_scores import score_sheet
    from ohpshaw_sim.records.writing import record_of_round
    from ohpshaw_sim.rule_text import PRESETS, read_rules, rules_text
    from ohpshaw_sim.rules import Rules

__version__: Final = "0.1.0"

__all__ = [
    "PRESETS",
    "AgentError",
    "CompiledAgent",
    "ConflictError",
    "Entrant",
    "Game",
    "IllegalError",
    "MalformedError",
    "Match",
    "OhPshawError",
    "Position",
    "Round",
    "Rules",
    "Run",
    "SmallGame",
    "builtin_agents",
    "compare",
    "exploit",
    "format_card",
    "format_cards",
    "judge",
    "load_run",
    "make_tables",
    "parse_card",
    "parse_cards",
    "plan_comparison",
    "play_match",
    "play_sets",
    "position_of",
    "read_records",
    "read_rules",
    "read_sheet",
    "record_of_round",
    "resolve",
    "rules_text",
    "run_tournament",
    "score_sheet",
    "solve",
]

_HOMES: Final = {
    "analysis.run": ("Run", "load_run"),
    "analysis.tables": ("make_tables",),
    "api": ("run_tournament",),
    "cards": ("format_card", "format_cards", "parse_card", "parse_cards"),
    "comparing.planning": ("plan_comparison",),
    "comparing.playing": ("compare",),
    "engine.endings": ("solve",),
    "engine.lineup": ("Game",),
    "engine.play": ("play_sets",),
    "engine.positions": ("Position",),
    "engine.round": ("Round",),
    "engine.single": ("Match", "play_match"),
    "errors": ("AgentError", "ConflictError", "IllegalError", "MalformedError", "OhPshawError"),
    "exact.exploit": ("exploit",),
    "exact.small_game": ("SmallGame",),
    "interface.agent": ("CompiledAgent",),
    "interface.discovery": ("Entrant", "builtin_agents", "resolve"),
    "records.ending_at": ("position_of",),
    "records.files": ("read_records",),
    "records.judge": ("judge",),
    "records.sheet_reading": ("read_sheet",),
    "records.sheet_scores": ("score_sheet",),
    "records.writing": ("record_of_round",),
    "rule_text": ("PRESETS", "read_rules", "rules_text"),
    "rules": ("Rules",),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
