"""The report of a run: one self-contained page made from its tables and its manifest."""
