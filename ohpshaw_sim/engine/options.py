"""The rules as compiled code knows them: numbers in a GAME record, shown in every view."""

from typing import Any

from ohpshaw_sim.interface.view import MAX_ROUNDS
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.dealing import TURNED
from ohpshaw_sim.rules import SCORINGS, Rules


def lay_rules(game: Any, rules: Rules, rounds: int) -> None:
    """Write the rules of a match whose schedule has so many rounds into a GAME record, all but the hand sizes."""
    game.pack = rules.pack_mask
    for number in range(MAX_ROUNDS):
        trump = rules.fixed_trump(number, rounds)
        game.trumps[number] = TURNED if trump is None else trump
    game.hook_from = rules.hook_from if rules.hook else 0
    game.simultaneous = rules.bidding == "simultaneous"
    game.must_trump = rules.must_trump
    game.scoring = SCORINGS.index(rules.scoring)
    game.zero_bid = rules.zero_bid == "hand-size"
    game.round_winner_bonus = rules.round_winner_bonus
    game.rotating_trump = rules.trump == "rotate"
    game.no_trump_final = rules.no_trump_final


@jit
def show_rules(view: Any, game: Any) -> None:
    """Show the rules in force; they stay the same through a match."""
    view.pack = game.pack
    view.hook_from = game.hook_from
    view.simultaneous = game.simultaneous
    view.must_trump = game.must_trump
    view.scoring = game.scoring
    view.zero_bid = game.zero_bid
    view.round_winner_bonus = game.round_winner_bonus
    view.rotating_trump = game.rotating_trump
    view.no_trump_final = game.no_trump_final
