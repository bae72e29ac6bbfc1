"""A scored sheet for programs: nested for JSON, or as rows, one for each round and player."""

from typing import Any

import pandas as pd

from ohpshaw_sim.records.sheet_rounds import SheetRound
from ohpshaw_sim.records.sheet_standings import ScoredSheet
from ohpshaw_sim.rule_text import rules_text


def sheet_facts(sheet: ScoredSheet) -> dict[str, Any]:
    """Return all there is to say of a scored sheet, players by name, as JSON takes it."""
    tie = sheet.tie_break
    names = sheet.players
    return {
        "rules": rules_text(sheet.rules),
        "players": list(names),
        "complete": sheet.complete,
        "rounds_scored": len(sheet.scored),
        "rounds_scheduled": len(sheet.schedule),
        "leaders": [names[seat] for seat in sheet.leaders],
        "tie_break": tie
        and {
            "hand_size": tie.hand_size,
            "dealer": names[tie.dealer],
            "players": [names[seat] for seat in tie.players],
        },
        "standings": _standings(sheet),
        "rounds": [_round(one, names) for one in sheet.rounds],
    }


def _standings(sheet: ScoredSheet) -> list[dict[str, Any]]:
    return [
        {
            "rank": one.rank,
            "player": one.player,
            "seat": one.seat,
            "total": one.total,
            "hits": one.hits,
            "rounds": one.rounds,
            "hit_rate": one.hits / one.rounds if one.rounds else None,
            "tie_break_points": list(one.extra),
        }
        for one in sheet.standings
    ]


def _round(one: SheetRound, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "round": one.number,
        "extra": one.extra,
        "state": one.state,
        "hand_size": one.hand_size,
        "dealer": None if one.dealer is None else names[one.dealer],
        "announcement": one.announcement,
        "note": one.note,
        "scores": [
            {
                "player": name,
                "bid": one.bids[seat],
                "tricks": one.tricks[seat] if one.tricks else None,
                "revoke": one.revokes[seat],
                "points": one.points[seat] if one.points else None,
                "total": one.totals[seat],
            }
            for seat, name in enumerate(names)
        ],
    }


def sheet_frame(sheet: ScoredSheet) -> pd.DataFrame:
    """Return a row for each round and player, with what the sheet comes to for the player in its last columns.

    Columns: round, extra, state, hand_size, dealer, announcement, note, player, bid, tricks, revoke, points, total;
    then rank, final_total, hits, rounds, complete, and for the tie-break to be played tie_break_hand,
    tie_break_dealer and plays_tie_break. Empty where there is nothing to say.
    """
    facts = sheet_facts(sheet)
    tie = facts["tie_break"] or {"hand_size": None, "dealer": None, "players": ()}
    last = {
        one["player"]: {
            "rank": one["rank"],
            "final_total": one["total"],
            "hits": one["hits"],
            "rounds": one["rounds"],
            "complete": facts["complete"],
            "tie_break_hand": tie["hand_size"],
            "tie_break_dealer": tie["dealer"],
            "plays_tie_break": one["player"] in tie["players"],
        }
        for one in facts["standings"]
    }
    rows = [
        {**{key: value for key, value in one.items() if key != "scores"}, **score, **last[score["player"]]}
        for one in facts["rounds"]
        for score in one["scores"]
    ]
    frame = pd.DataFrame(rows, columns=_columns())
    whole = ("hand_size", "bid", "tricks", "points", "tie_break_hand")
    return frame.astype(dict.fromkeys(whole, "Int64"))


def _columns() -> list[str]:
    """Return the columns of the rows, in their order, also where there is no round yet."""
    of_round = ["round", "extra", "state", "hand_size", "dealer", "announcement", "note"]
    of_score = ["player", "bid", "tricks", "revoke", "points", "total"]
    return [*of_round, *of_score, "rank", "final_total", "hits", "rounds", "complete", *_TIE_BREAK]


_TIE_BREAK = ("tie_break_hand", "tie_break_dealer", "plays_tie_break")
