"""Reading run folders: sums, estimates with intervals, tables. Nothing here plays, and nothing plots."""
