"""Comparisons of two agents: asked for, looked at while they are played, planned; for Python and for the command."""
