"""Files of deals to be played: round records, of which only the deal is read, set by set.

Each match of the file, as `ohpshaw replay` numbers them, is the deals of one set: the records of `ohpshaw deal`, or of
a run. All are checked under the rules that they are to be played by, whatever rules they name themselves.
"""

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ohpshaw_sim.brought import at_hand
from ohpshaw_sim.cards import NO_CARD, NO_SUIT, mask_of
from ohpshaw_sim.engine.checks import check_deal, check_round
from ohpshaw_sim.engine.round_deal import RoundDeal
from ohpshaw_sim.errors import FileError, IllegalError, MalformedError
from ohpshaw_sim.reading import write_numbers
from ohpshaw_sim.records.files import Located, read_lines
from ohpshaw_sim.records.match import follows, is_extra
from ohpshaw_sim.records.stated import fixed_trump
from ohpshaw_sim.rule_text import make_rules
from ohpshaw_sim.rules import Rules


@dataclass(frozen=True)
class DealFile:
    """What a file of deals holds: `sets` has each set's rounds; `digest` names the bytes of the file."""

    digest: str
    players: int
    hand_sizes: tuple[int, ...]
    sets: tuple[tuple[RoundDeal, ...], ...]


def read_deals(path: str, rules: Rules) -> DealFile:
    """Return the deals of a file, checked under rules whose schedule does not matter.

    Raises FileError when the file cannot be read; MalformedError, IllegalError or ConflictError, each beginning with
    `file:line:`, for what is no record, a deal that the rules refuse, a hand that is not known, and matches that
    differ in players or hand sizes.
    """
    return deals_of(path, _digest(_bytes(path)), rules)


def deals_of(path: str, digest: str, rules: Rules) -> DealFile:
    """Return the deals of a file that was read before; it is read once in a process. Raises as `read_deals` does.

    Raises IllegalError, too, when its bytes are others now.
    """
    return _read_once(path, digest, make_rules(rules, schedule="up", hand_sizes=None, max_hand=None))


@lru_cache(maxsize=4)
def _read_once(path: str, digest: str, rules: Rules) -> DealFile:
    data = _bytes(path)
    if _digest(data) != digest:
        raise IllegalError(
            f"{path} holds other deals than when the run began; put the file of then in its place"
        )
    lines: list[int] = []
    sets: list[tuple[RoundDeal, ...]] = []
    shapes: list[tuple[int, tuple[int, ...]]] = []
    for match in _matches(read_lines(io.BytesIO(data), path)):
        deals = tuple(_deal(one, rules, path) for one in match)
        if match[0].record.rotation and sets and deals == sets[-1]:
            continue  # the same set with its seats moved on
        _check_finals(path, match, deals, rules)
        lines.append(match[0].line)
        sets.append(deals)
        shapes.append((match[0].record.players, tuple(one.record.hand_size for one in match)))
        if shapes[-1] != shapes[0]:
            raise _another_shape(path, lines, shapes)
    if not sets:
        raise MalformedError(f"{path} has no deals: all its rounds are misdealt")
    return DealFile(digest, *shapes[0], tuple(sets))


def _matches(records: Iterator[Located]) -> Iterator[list[Located]]:
    """Yield the records of each match; misdealt rounds are left out, and tie-break rounds at the end of a match."""
    match: list[Located] = []
    last = None
    for one in records:
        if one.record.misdeal:
            continue
        if last is not None and not follows(last, one.record):
            yield match
            match = []
        last = one.record
        if not (match and is_extra(one.record)):
            match.append(one)
    if match:
        yield match


def _deal(located: Located, rules: Rules, path: str) -> RoundDeal:
    """Return the deal of a record. Raises IllegalError."""
    line, record = located
    turn_up = NO_CARD if record.turn_up is None else record.turn_up
    trump = fixed_trump(record, rules)
    try:
        check_round(rules, record.players, record.hand_size, record.dealer, trump)
        known = [mask_of(hand) for hand in record.hands or () if hand is not None]
        if record.hands is None or len(known) < len(record.hands):
            raise IllegalError("a hand is not known; a deal can be played only if all hands are (B7)")
        check_deal(rules, record.players, record.hand_size, known, turn_up, turned=trump is None)
    except IllegalError as error:
        raise IllegalError(f"{path}:{line}: {error}") from None
    return RoundDeal(record.dealer, tuple(known), turn_up, trump)


def _check_finals(path: str, match: list[Located], deals: tuple[RoundDeal, ...], rules: Rules) -> None:
    """Refuse a match whose last round has trump where it must have none, or whose others lack it for that (V7)."""
    for number, (located, deal) in enumerate(zip(match, deals, strict=True), start=1):
        final = rules.no_trump_final and number == len(deals)
        turned = deal.turn_up != NO_CARD or deal.trump not in (None, NO_SUIT)
        if final and turned:
            raise IllegalError(
                f"{path}:{located.line}: this is the last round of its match and has a trump, "
                "which no_trump_final does not allow; leave that option out, or give a deal without (V7)"
            )
        if not final and deal.trump == NO_SUIT:
            raise IllegalError(
                f"{path}:{located.line}: this round has no trump and is not the last of its match (V7)"
            )


def _another_shape(path: str, lines: list[int], shapes: list[tuple[int, tuple[int, ...]]]) -> IllegalError:
    """Return what is said where two matches of a file cannot be sets of one tournament."""
    (players, sizes), (first_players, first_sizes) = shapes[-1], shapes[0]
    one = f"{players} players and hands of {write_numbers(sizes)}"
    other = f"{first_players} players and hands of {write_numbers(first_sizes)}"
    return IllegalError(
        f"{path}:{lines[-1]}: the match that begins here has {one}, that of line {lines[0]} {other}; "
        "put them into files of their own"
    )


def _bytes(path: str) -> bytes:
    try:
        return at_hand(path).copy.read_bytes()
    except OSError as error:
        raise FileError(f"the deals {path} cannot be read: {error.strerror or error}") from None
    except ValueError:  # a zero byte in it
        raise FileError(f"{path!r} is no name of a file") from None


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
