"""The referee's bids and scores: what may be bid, what is announced, and what a round pays."""

from collections.abc import Collection, Iterable, Sequence

from reference_options import BASE, Options


def legal_bids(hand_size: int, barred: int | None = None) -> list[int]:
    """B8: any whole number 0..hand size, whatever was bid before, but for the one that the hook bars (V1)."""
    return [bid for bid in range(hand_size + 1) if bid != barred]


def barred_bid(options: Options, hand_size: int, others: int) -> int | None:
    """V1: what the dealer may not bid after the others' total; None where the hook bars nothing."""
    if not options.hook or hand_size < options.hook_from or others > hand_size:
        return None
    return hand_size - others


def announce(bids: Iterable[int], hand_size: int) -> str:
    """B9: the bids' total against the number of tricks."""
    total = sum(bids)
    if total > hand_size:
        return "over"
    return "under" if total < hand_size else "even"


def round_score(bid: int, tricks: int, options: Options = BASE, hand_size: int = 0) -> int:
    """One seat's score by its bid and tricks: B13 or V11, V15, V16, with V12 for a bid of 0 that is made."""
    hit, off = bid == tricks, abs(bid - tricks)
    if hit and bid == 0 and options.zero_bid == "hand-size":  # V12, whatever the scoring
        assert hand_size >= 1
        return 5 + hand_size
    made, missed = {
        "exact": (10 + bid, 0),  # B13
        "soft": (10 + tricks, tricks),  # V11
        "wizard": (20 + 10 * tricks, -10 * off),  # V15
        "penalty": (10 + bid, -off),  # V16
    }[options.scoring]
    return made if hit else missed


def round_scores(
    bids: Sequence[int],
    tricks: Sequence[int],
    hand_size: int,
    options: Options = BASE,
    revoked: Collection[int] = (),
) -> list[int]:
    """The scores of a round by seat; `revoked` are the seats whose revoke was caught later (B12)."""
    scores = [round_score(bid, won, options, hand_size) for bid, won in zip(bids, tricks, strict=True)]
    for seat in revoked:
        # B12, V14. Where a miss costs points (V15, V16) the rulebook's 0 is read as 0 all the same.
        scores[seat] = -options.revoke_penalty
    return with_bonus(scores) if options.round_winner_bonus else scores


def with_bonus(scores: Sequence[int]) -> list[int]:
    """V13: +10 to the highest score and all that tie for it, none if it is 0 or less.

    The rulebook does not say which score counts after a revoke, nor whether extra rounds (B15) have the bonus:
    the score after B12 and V14 does, and they have it.
    """
    best = max(scores)
    return [score + 10 if score == best > 0 else score for score in scores]
