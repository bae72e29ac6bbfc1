"""Rounds and score sheets as people write them, judged by the rules."""
