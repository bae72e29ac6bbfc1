"""Zero bids: how often, how well, and what another bid would have been worth in the same situation."""

from ohpshaw_sim.studies.zero_bids.request import Request
from ohpshaw_sim.studies.zero_bids.study import carry_out

__all__ = ["Request", "carry_out"]
