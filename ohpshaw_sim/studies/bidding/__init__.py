"""The study `bidding`: bidders crossed with agents that play for their bids."""

from ohpshaw_sim.studies.bidding.request import Request
from ohpshaw_sim.studies.bidding.study import carry_out

__all__ = ["Request", "carry_out"]
