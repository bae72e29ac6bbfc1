"""What a record states of trump where no card is turned, under the rules in force (B5, B6, V6, V7)."""

from functools import lru_cache

from ohpshaw_sim.cards import NO_SUIT, Mask, Suit
from ohpshaw_sim.records.record import RoundRecord
from ohpshaw_sim.rules import Rules


@lru_cache(maxsize=256)
def pack_of(rules: Rules) -> Mask:
    """Return all cards of the pack, as a mask; kept, since many records have the same rules."""
    return rules.pack_mask


def every_card_is_dealt(record: RoundRecord, rules: Rules) -> bool:
    """Tell whether no card is left to be turned (B6)."""
    return record.players * record.hand_size == pack_of(rules).bit_count()


def fixed_trump(record: RoundRecord, rules: Rules) -> Suit | None:
    """Return the trump that stands in place of a turn-up, -1 = none; None where a card is to be turned."""
    if record.turn_up is not None:
        return None
    if record.trump is not None and record.trump != NO_SUIT:
        return record.trump
    if rules.trump == "turn-up" and every_card_is_dealt(record, rules):
        return None
    if rules.no_trump_final or (record.trump == NO_SUIT and rules.trump == "turn-up"):
        return NO_SUIT
    return None
