"""What a study of zero bids has found, in words and in tables for 80 columns."""

from typing import Any

import pandas as pd
from rich.table import Table

from ohpshaw_sim.studies.words import listed, plain_table, with_ends, with_margin
from ohpshaw_sim.studies.zero_bids.grouping import ALL

Tables = dict[str, pd.DataFrame]


def answer(tables: Tables, field: str) -> str:
    """Answer the question in a paragraph, for the first agent."""
    if tables["worth"].empty:
        return "No situation could be valued: in none did redeals explain the bids that were heard."
    agent = tables["worth"]["agent"].iloc[0]
    worth = [row for row in _records(tables["worth"]) if row["agent"] == agent and row["by"] == ALL]
    best = listed(
        [
            f"{row['zero_best_share']:.0%} with {row['players']} players (it bids zero in {row['zero_bid_share']:.0%})"
            for row in worth
        ]
    )
    rules = [row for row in shown_rules(tables["rule_of_thumb"]) if row["agent"] == agent]
    return (
        f"{_advice(rules)} Zero is the best bid of {agent} {field} in {best} of all situations, as far as redealt "
        "hands tell. Intervals are of 95 %."
    )


def _advice(rows: list[dict[str, Any]]) -> str:
    """Say the rule of thumb, groups of hand sizes with one rule in a row taken together, and what it loses."""
    if not rows:
        return "There are too few situations for a rule of thumb."
    runs: list[tuple[str, list[str]]] = []
    for row in rows:
        if row["hands"] != ALL:
            if not runs or runs[-1][0] != row["rule"]:
                runs.append((row["rule"], []))
            runs[-1][1].append(row["hands"])
    told = "; ".join(
        f"with {listed(hands)} card{'s' * (hands != ['1'])} when you hold {rule}" for rule, hands in runs
    )
    told = told.replace("when you hold never", "never")
    last = rows[-1]
    return (
        f"Bid zero {told}. On situations that it never saw, the rule loses {with_ends(last, 'loss')} points a round "
        f"beside the best bid; never to bid zero loses {with_ends(last, 'loss_never')}."
    )


def shown_rules(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of `rule_of_thumb` that speak of all numbers of players at once, or of the only one."""
    rows = _records(frame)
    return [row for row in rows if row["players"] == ALL] or rows


def shown(tables: Tables) -> list[Table]:
    """Return the tables of a summary."""
    made = [_habits(tables["zero_bids"])]
    if len(tables["worth"]):
        made += [_worth(tables["worth"]), _by_hand_size(tables["worth"])]
    if len(tables["rule_of_thumb"]):
        made.append(_rules(tables["rule_of_thumb"]))
    if len(tables["redeals"]):
        made.append(_redeals(tables["redeals"]))
    return made


def _habits(frame: pd.DataFrame) -> Table:
    rows = [row for row in _records(frame) if row["by"] == ALL]
    return plain_table(
        "Bids of zero on the deals as they were (± half of 95 % intervals over deals)",
        {
            **_who(rows),
            "zero bids %": [with_margin(row, "zero_bid_share", times=100) for row in rows],
            "made %": [with_margin(row, "zero_bid_hit_rate", times=100) for row in rows],
            "points": [with_margin(row, "points_per_zero_bid") for row in rows],
            "of other bids": [with_margin(row, "points_per_other_bid") for row in rows],
        },
        left=1,
    )


def _worth(frame: pd.DataFrame) -> Table:
    rows = [row for row in _records(frame) if row["by"] == ALL]
    return plain_table(
        "Worth of zero on redealt hands, all situations (points per round)",
        {
            **_who(rows),
            "zero": [with_margin(row, "zero_points") for row in rows],
            "best other": [with_margin(row, "other_points") for row in rows],
            "where bid: gain": [with_margin(row, "gain_where_bid", signed=True) for row in rows],
            "agent's loss": [with_margin(row, "loss") for row in rows],
        },
        left=1,
    )


def _by_hand_size(frame: pd.DataFrame) -> Table:
    """Return gains by hand size, one column per number of players, for the first agent."""
    agent = frame["agent"].iloc[0]
    rows = [row for row in _records(frame) if row["by"] == "hand_size" and row["agent"] == agent]
    sizes = sorted({int(row["value"]) for row in rows})
    found = {(row["players"], int(row["value"])): with_margin(row, "gain", signed=True) for row in rows}
    columns = {
        f"{players} players": [found.get((players, size), "") for size in sizes]
        for players in dict.fromkeys(row["players"] for row in rows)
    }
    return plain_table(
        f"What zero gains over the best other bid, {agent}",
        {"cards": [str(size) for size in sizes], **columns},
    )


def _rules(frame: pd.DataFrame) -> Table:
    rows = shown_rules(frame)
    agents = {row["agent"] for row in rows}
    named = {"agent": [row["agent"] for row in rows]} if len(agents) > 1 else {}
    return plain_table(
        "Rule of thumb: bid zero when you hold ... (points lost beside the best bid)",
        {
            **named,
            "cards": [str(row["hands"]) for row in rows],
            "rule": [row["rule"] for row in rows],
            "rule loses": [with_margin(row, "loss") for row in rows],
            "never zero": [with_margin(row, "loss_never") for row in rows],
            "agent's way": [with_margin(row, "loss_choice") for row in rows],
        },
        left=2 + len(named),
    )


def _redeals(frame: pd.DataFrame) -> Table:
    """Return how well redeals explained what was heard, by number of players."""
    rows: list[dict[str, Any]] = []
    for (agent, players), own in frame.groupby(["agent", "players"], sort=False):
        count, valued = own["situations"].sum(), (own["situations"] - own["not_valued"])
        rows.append(
            {
                "agent": agent,
                "players": players,
                "situations": int(count),
                "lost": f"{own['not_valued'].sum() / count:.1%}",
                "effective": f"{(own['effective'].fillna(0) * valued).sum() / max(valued.sum(), 1):.0f} "
                f"of {own['redeals'].max()}",
                "weak": f"{(own['weak'].fillna(0) * valued).sum() / max(valued.sum(), 1):.1%}",
            }
        )
    return plain_table(
        "Redeals: how well they explain the bids heard",
        {
            **_who(rows),
            "situations": [f"{row['situations']:,}" for row in rows],
            "not valued": [row["lost"] for row in rows],
            "effective redeals": [row["effective"] for row in rows],
            "fewer than 16": [row["weak"] for row in rows],
        },
        left=1,
    )


def _who(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the columns that name rows: the agent where there are several, and the number of players."""
    agents = [row["agent"] for row in rows]
    named = {"agent": agents} if len(set(agents)) > 1 else {}
    return {**named, "players": [str(row["players"]) for row in rows]}


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.to_dict("records")  # type: ignore[return-value]  # keys are columns' names
