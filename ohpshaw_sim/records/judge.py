"""The judge: a round record through the rules, from the deal to the scores, up to the first breach.

The rules are asked of the verbs in `kernels/`, which the engine plays by; what stands here and in `dealt`, `auction`,
`following`, `turns` and `claims` brings a record before them and says in a sentence what they found.
"""

from typing import Any

from ohpshaw_sim.engine.round_scores import round_scores
from ohpshaw_sim.records.auction import judge_bids
from ohpshaw_sim.records.case import Case
from ohpshaw_sim.records.claims import check_claims
from ohpshaw_sim.records.dealt import judge_deal
from ohpshaw_sim.records.following import judge_plays
from ohpshaw_sim.records.record import RoundRecord, check_form, read_record
from ohpshaw_sim.records.stated import pack_of
from ohpshaw_sim.records.verdict import Breach, RuleBrokenError, Status, Verdict


def judge(record: RoundRecord | dict[str, Any]) -> Verdict:
    """Return what the rules say of a round: the account of it, whose turn it is, or the first breach.

    Raises MalformedError, IllegalError or ConflictError for what is no record, or names no rules; a broken rule is no
    error but a verdict.

    >>> verdict = judge({"players": 3, "dealer": 2, "hand_size": 1, "turn_up": "7H", "bids": [1, 0, 1],
    ...                  "plays": "2C TC 2H"})
    >>> verdict.status.value, verdict.announcement, verdict.winners, verdict.scores
    ('finished', 'over', (2,), (0, 10, 11))
    >>> judge({"players": 3, "dealer": 2, "hand_size": 1, "turn_up": "7H", "bids": [1, 2, 0]}).breach.rule
    'B8'
    """
    if not isinstance(record, RoundRecord):
        record = read_record(record)
    else:
        check_form(record)
    if record.misdeal:
        return _misdeal(record)
    rules = record.rules_in_force
    case = Case(record, rules, pack_of(rules), tricks=[0] * record.players, voids=[0] * record.players)
    breach = None
    try:
        _judge(case)
    except RuleBrokenError as error:
        breach = error.breach
    return case.verdict(breach)


def _judge(case: Case) -> None:
    """Take a case as far as its record goes; raise RuleBrokenError at the first breach."""
    judge_deal(case)
    if case.turn is None:
        judge_bids(case)
    if case.turn is None:
        judge_plays(case)
    if case.turn is None:
        bids = [bid or 0 for bid in case.bids]
        scores = round_scores(
            case.rules, case.record.hand_size, bids, case.tricks, case.revoked, case.forfeited
        )
        case.scores = tuple(scores)
    check_claims(case)


def _misdeal(record: RoundRecord) -> Verdict:
    """Return the verdict on a round that is marked as misdealt: it has no score (B7)."""
    if record.scores is None:
        return Verdict(Status.misdeal)
    return Verdict(Status.broken, breach=Breach("B7", "the round was misdealt and cannot have scores"))
