"""ohpshaw_sim."""
