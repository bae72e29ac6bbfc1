"""`monte-carlo`: deals the unseen cards many times over, plays each world out, answers with the best mean score."""

from ohpshaw_agents.monte_carlo_1 import make_agent

__all__ = ["make_agent"]
