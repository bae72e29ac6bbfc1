"""Small games solved: the one-card round, small packs in sequence form, and what agents leave there to be taken."""
