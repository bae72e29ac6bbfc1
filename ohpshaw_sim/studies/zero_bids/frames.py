"""Situations as a frame: one row each, with what people would ask about them, and the values of their bids."""

from typing import Any, Final

import numpy as np
import pandas as pd

from ohpshaw_sim.cards import KING
from ohpshaw_sim.studies.zero_bids.sampling import Cell
from ohpshaw_sim.studies.zero_bids.situations import CHOOSING, VALUING

FIRST, UNDER, EVEN, OVER = BEFORE = ("nobody", "few tricks", "a fair share", "many tricks")
"""What was bid before, in words."""
_FAIR: Final = 0.5
"""Earlier bids within so many tricks of their even share are a fair share."""
_HIGHEST: Final = np.uint64(sum(0b11 << (16 * suit + KING) for suit in range(4)))
"""Aces and kings."""


def frame_of(cell: Cell, situations: Any, first: int = 0) -> pd.DataFrame:
    """Return situations of a cell (SITUATION records, from deal `first` on) as rows.

    trumps, high_cards   trumps held; aces and kings held in other suits
    has_trump            whether the round has a trump
    before               what was bid before, one of BEFORE; `bids_before` is the total of these bids
    bid, tricks, points  what the agent bid on the deal as it was, and what came of it
    zero_legal, zero_made, zero_points   whether it could have bid zero, and what would have come of that
    effective            effective number of redeals, (sum w)^2 / sum w^2 (Kish 1965); 0 = not valued
    chance_a, chance_b   share of the first (second) half's redeals in which a zero bid was made, NaN = not valued
    zero_a, other_a, own_a, zero_b, ...  points of a zero bid, of the best other bid by the first half, and of the
                         agent's own bid, on the redeals of each half, NaN = not valued
    """
    hand = situations["hand"]
    trump = situations["trump"].astype(np.int64)
    lane = np.where(
        trump >= 0, np.uint64(0xFFFF) << (16 * np.maximum(trump, 0)).astype(np.uint64), np.uint64(0)
    )
    rows = np.arange(len(situations))
    frame = pd.DataFrame({"agent": cell.agent, "players": cell.players, "deal": first + rows})
    for name in ("hand_size", "position", "bid", "tricks", "points"):
        frame[name] = situations[name].astype(np.int64)
    frame["trumps"] = np.bitwise_count(hand & lane).astype(np.int64)
    frame["high_cards"] = np.bitwise_count(hand & _HIGHEST & ~lane).astype(np.int64)
    bids = situations["bids"].astype(np.int64)
    frame["has_trump"] = trump >= 0
    frame["bids_before"] = np.where(bids >= 0, bids, 0).sum(axis=1)
    frame["before"] = _before(frame, situations["heard"].astype(np.int64))
    frame["zero_legal"] = (situations["legal"] & np.uint64(1)).astype(bool)
    frame["zero_made"] = situations["zero_tricks"] == 0
    frame["zero_points"] = situations["zero_points"].astype(np.int64)
    whole = pd.concat([frame, _values(frame, situations)], axis=1)
    return whole.astype(dict.fromkeys(whole.select_dtypes("int64"), np.int32))  # there may be many


def _before(frame: pd.DataFrame, heard: Any) -> Any:
    """Say what was bid before: beside the share of the tricks that so many seats would have in an even round."""
    excess = frame["bids_before"] - frame["hand_size"] * heard / frame["players"]
    words = np.select([heard == 0, excess < -_FAIR, excess > _FAIR], [FIRST, UNDER, OVER], EVEN)
    return pd.Categorical(words, BEFORE, ordered=True)


def _values(frame: pd.DataFrame, situations: Any) -> pd.DataFrame:
    """Return the columns of values; a situation is valued where both halves have redeals and zero is legal."""
    weight, squares = situations["weight"], situations["squares"]
    valued = (weight > 0).all(axis=1) & frame["zero_legal"].to_numpy()
    total = weight.sum(axis=1)
    columns: dict[str, Any] = {
        "redeals": situations["redeals"],
        "lost": situations["lost"],
        "tried": situations["tried"],
        "matched": situations["matched"],
        "effective": np.divide(total**2, squares.sum(axis=1), out=np.zeros(len(total)), where=valued),
        "other": situations["other"].astype(np.int64),
    }
    rows = np.arange(len(situations))
    for half, letter in ((CHOOSING, "a"), (VALUING, "b")):
        worth = np.divide(
            situations["worth"][:, half],
            weight[:, half, None],
            out=np.full(situations["worth"][:, half].shape, np.nan),
            where=valued[:, None],
        )
        columns[f"zero_{letter}"] = worth[:, 0]
        columns[f"other_{letter}"] = worth[rows, columns["other"]]
        columns[f"own_{letter}"] = worth[rows, frame["bid"]]
        columns[f"chance_{letter}"] = np.where(
            valued,
            np.divide(situations["made"][:, half], weight[:, half], where=valued, out=np.zeros(len(rows))),
            np.nan,
        )
    made = np.divide(situations["made"].sum(axis=1), total, where=valued, out=np.zeros(len(rows)))
    return pd.DataFrame({**columns, "chance": np.where(valued, made, np.nan)})
