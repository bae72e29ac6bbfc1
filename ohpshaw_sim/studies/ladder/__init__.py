"""The study `ladder`: how strong agents are against a fixed field, and how long a decision takes them."""

from ohpshaw_sim.studies.ladder.request import Request
from ohpshaw_sim.studies.ladder.study import carry_out

__all__ = ["Request", "carry_out"]
