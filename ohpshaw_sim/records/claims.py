"""What a record says of tricks and scores, against what the cards say (B11, B13 and the scorings, B12, V12, V13)."""

from typing import Final

from ohpshaw_sim.records.case import Case
from ohpshaw_sim.records.verdict import broken
from ohpshaw_sim.rules import ROUND_BONUS, SCORINGS, Rules

_RULE_OF_SCORING: Final = dict(zip(SCORINGS, ("B13", "V11", "V15", "V16"), strict=True))


def check_claims(case: Case) -> None:
    """Raise RuleBrokenError for the first of winners, tricks and scores that was written down wrong."""
    _check_winners(case)
    _check_tricks(case)
    _check_scores(case)


def _check_winners(case: Case) -> None:
    written = case.record.winners
    if written is None:
        return
    won = [trick.winner for trick in case.played if trick.finished]
    for number, (claim, winner) in enumerate(zip(written, won, strict=False), start=1):
        if claim != winner:
            sentence = f"seat {claim} is written down as winner of trick {number}, which seat {winner} won"
            raise broken("B11", sentence, claim, case.played[number - 1].winning_card, number)
    if len(written) != len(won):
        raise broken(
            "B11", f"winners of {len(written)} tricks are written down, and {len(won)} were finished"
        )


def _check_tricks(case: Case) -> None:
    for seat, (claim, tricks) in enumerate(zip(case.record.tricks or (), case.tricks, strict=False)):
        if claim != tricks:
            won = f"{tricks} trick{'' if tricks == 1 else 's'}"
            raise broken("B11", f"seat {seat} won {won}, and {claim} is written down", seat)


def _check_scores(case: Case) -> None:
    written, points = case.record.scores, case.scores
    if written is None:
        return
    if points is None:
        raise broken("B16", "scores are written down, but the round is not over and counts for nothing yet")
    for seat, (claim, score) in enumerate(zip(written, points, strict=True)):
        if claim != score:
            bid, tricks = case.bids[seat] or 0, case.tricks[seat]
            rule = _rule_of_points(case.rules, bid, tricks, claim - score, seat in case.revoked)
            revoked = ", and revoked" if seat in case.revoked else ""
            if seat in case.forfeited:
                revoked = ", and forfeited the round"
            raise broken(
                rule,
                f"seat {seat} bid {bid} and won {tricks}{revoked}: it scores {score}, and {claim} is written down",
                seat,
            )


def _rule_of_points(rules: Rules, bid: int, tricks: int, error: int, revoked: bool) -> str:
    """Return the id of the rule that a wrong score goes against; `error` = the points it is off by."""
    if revoked:
        return "V14" if rules.revoke_penalty and abs(error) == rules.revoke_penalty else "B12"
    if rules.round_winner_bonus and abs(error) == ROUND_BONUS:
        return "V13"
    if bid == tricks == 0 and rules.zero_bid == "hand-size":
        return "V12"
    return _RULE_OF_SCORING[rules.scoring]
