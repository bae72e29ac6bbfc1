"""`ohpshaw deal`: seeded deals to look at, or to play with other programs; and a search among them."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ohpshaw_sim.cli.choices import DealFormat
from ohpshaw_sim.cli.hands import Paper, hand_pieces, hand_rows, suits_in_order, trump_words
from ohpshaw_sim.cli.rule_flags import rule_flags, rules_from

if TYPE_CHECKING:
    from ohpshaw_sim.records.deal_search import Search
    from ohpshaw_sim.records.deals import Deal, Setting

TRIES: Final = 1_000_000
LARGEST_SET: Final = 2**31 - 1
"""What a run has room for, as the number of a set."""
_FIRST_LINE: Final = 2.0
"""Seconds until the first line of progress, then between lines on a terminal; elsewhere they come every ten."""
_QUANTILE: Final = 1.959964
"""Of the normal distribution, for intervals of 95 %."""


@rule_flags
def deal(
    players: Annotated[int, typer.Option(metavar="N", help="Players at the table, 3 to 7.")] = 4,
    hand_size: Annotated[
        int | None,
        typer.Option(metavar="N", help="Cards to each (default: the largest hand that leaves a trump)."),
    ] = None,
    round_number: Annotated[
        int | None,
        typer.Option(
            "--round",
            metavar="K",
            help="Round of a match, 1, 2, ...; it decides the trump where none is turned "
            "(default: the first with this hand size).",
        ),
    ] = None,
    dealer: Annotated[
        int | None,
        typer.Option(metavar="SEAT", help="Who deals (default: as in the match of the same number)."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Seed of the cards (default: drawn and shown).")
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Number of deals.")] = 1,
    first: Annotated[
        int,
        typer.Option(
            "--from",
            metavar="N",
            min=0,
            max=LARGEST_SET,
            help="Number of the first deal; deals are 0, 1, ...",
        ),
    ] = 0,
    where: Annotated[
        str | None, typer.Option(metavar="CONDITIONS", help="Only deals that satisfy all of them, see above.")
    ] = None,
    tries: Annotated[
        int, typer.Option(metavar="N", min=1, help="Deals to look at, at most, under --where.")
    ] = TRIES,
    output: Annotated[
        DealFormat, typer.Option("--format", help="Hands for people, or round records as JSON lines.")
    ] = DealFormat.text,
    stock: Annotated[bool, typer.Option("--stock", help="Show the cards that stay undealt, too.")] = False,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Deal hands from a seed, or search for deals of a kind and tell how rare they are.

    Deal N of a seed is the one that set N of a tournament with this seed plays in
    that round, whatever --count is.

    --where takes conditions WHOSE WHAT OP NUMBER, joined by commas or by "and".
    WHOSE is a seat number, eldest, dealer, any, all, turn-up or stock.
    WHAT is trumps, highest-trump, sure-trumps, clubs, diamonds, hearts, spades,
    voids, singletons, longest, aces, kings, queens, jacks, points, wizards,
    jesters, or a card such as AS. OP is one of = != < <= > >=.
    docs/deals.md tells more.

    Examples:

      ohpshaw deal --players 5 --hand-size 7 --seed 1 --count 3

      ohpshaw deal --seed 1 --where "eldest trumps>=5, dealer aces=0, any voids>=1"

      ohpshaw deal --rules wizard --count 100 --format json > deals.jsonl
    """
    import secrets

    from ohpshaw_sim.records.deals import setting_of

    setting = setting_of(
        rules_from(rule_options),
        players,
        seed=secrets.randbelow(10**9) if seed is None else seed,
        round_number=round_number,
        hand_size=hand_size,
        dealer=dealer,
    )
    search = None if where is None else _search(setting, where, count, tries, first)
    sys.stderr.write(f"seed {setting.seed}, round {setting.round_number}\n")
    dealt = _dealt(setting, first, count) if search is None else search.run(_Progress())
    write = _record_writer(setting) if output is DealFormat.json else _text_writer(setting, stock=stock)
    for one in dealt:
        write(one)
    if search is not None:
        _report(search)


def _search(setting: "Setting", where: str, count: int, tries: int, first: int) -> "Search":
    from ohpshaw_sim.records.conditions import read_conditions
    from ohpshaw_sim.records.deal_search import Search

    return Search(setting, read_conditions(where), count, tries, first)


def _dealt(setting: "Setting", first: int, count: int) -> "Iterator[Deal]":
    from ohpshaw_sim.records.deal_search import AT_ONCE
    from ohpshaw_sim.records.deals import deal_many

    for start in range(first, first + count, AT_ONCE):
        yield from deal_many(setting, start, min(AT_ONCE, first + count - start))


def _record_writer(setting: "Setting") -> Any:
    from ohpshaw_sim.records.deals import deal_record
    from ohpshaw_sim.records.writing import record_line

    return lambda one: sys.stdout.write(record_line(deal_record(setting, one)) + "\n")


def _text_writer(setting: "Setting", *, stock: bool) -> Any:
    paper = Paper()
    pack = setting.rules.pack_mask
    blank: list[str] = []

    def write(one: "Deal") -> None:
        cards = "1 card" if setting.hand_size == 1 else f"{setting.hand_size} cards"
        heading = f"Deal {one.number}: {cards} each, {trump_words(one.turn_up, one.trump)}"
        roles = {one.dealer: " dealer", one.eldest: " eldest"}
        heads = [f"seat {seat}{roles.get(seat, '')}" for seat in range(setting.players)]
        paper.write(*blank)
        paper.write(heading, bold=True)
        paper.write(*hand_rows(list(zip(heads, one.hands, strict=True)), pack, one.trump))
        if stock and setting.stock:
            paper.write(*_stock_lines(one, setting, margin=max(map(len, heads)) + 4))
        blank[:] = [""]

    return write


def _stock_lines(one: "Deal", setting: "Setting", margin: int) -> list[str]:
    from ohpshaw_sim.cli.entries import entry

    suits = suits_in_order(setting.rules.pack_mask, one.trump)
    pieces = [piece.replace(" ", "\xa0") for piece in hand_pieces(one.stock(setting.rules), suits) if piece]
    return entry("  stock", margin, "  ".join(pieces)).replace("\xa0", " ").splitlines()


class _Progress:
    """Tells on stderr how far a search is, after two seconds and now and then."""

    def __init__(self) -> None:
        self._begun = self._told = time.monotonic()
        self._warm: tuple[float, int] | None = None

    def __call__(self, search: "Search") -> None:
        """Write a line if one is due."""
        from ohpshaw_sim.cli.progress import FIRST_LINE, LINES_EVERY

        now = time.monotonic()
        since, before = self._warm = self._warm or (
            now,
            search.tried,
        )  # the first deals wait for the compiler
        every = FIRST_LINE if self._told == self._begun or sys.stderr.isatty() else LINES_EVERY
        if now - self._told < every:
            return
        self._told = now
        rate = f", {(search.tried - before) / (now - since):,.0f} deals/s" if now > since else ""
        sys.stderr.write(
            f"{search.tried:,} of {search.tries:,} deals tried, {search.found} of {search.wanted} found"
            f"{rate}\n"
        )


def _report(search: "Search") -> None:
    """Tell how rare the condition is, and leave with 1 when too few were found."""
    from ohpshaw_sim.analysis.statistics import wilson

    hits, sample = search.sampled
    low, high = wilson(hits / sample, sample, _QUANTILE) if sample else (0.0, 1.0)
    share = search.hits / search.tried
    rare = f", about 1 in {1 / share:,.0f}" if 0 < share < 0.1 else ""
    sys.stdout.flush()
    sys.stderr.write(
        f"{search.hits:,} of {search.tried:,} deals tried satisfy this: {percent(share)}{rare} "
        f"(95 % interval {percent(low)} to {percent(high)})\n"
    )
    if search.hits > search.found:
        sys.stderr.write(f"shown: the first {search.found:,} of these\n")
    if search.found < search.wanted:
        sys.stderr.write(
            f"the search ended after {search.tried:,} tries with {search.found} of {search.wanted} deals "
            "found; look further with --tries, or ask for less\n"
        )
        raise typer.Exit(1)


def percent(share: float) -> str:
    """Return a share in percent, three figures of it even if it is tiny.

    >>> percent(0.0525), percent(0.0000123), percent(1), percent(0)
    ('5.25 %', '0.00123 %', '100 %', '0 %')
    """
    import numpy as np

    return np.format_float_positional(100 * share, precision=3, fractional=False, trim="-") + " %"
