"""Studies: questions that take more than one tournament, played, worked out and drawn: see `experiment`."""
