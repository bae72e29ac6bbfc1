"""Pictures of a run, made from its tables: one file per chart, each with `draw(frame, ax)`."""
