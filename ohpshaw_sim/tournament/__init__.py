"""Playing: what (spec), in which order (schedule), by whom (crew, runner), kept where (store)."""
