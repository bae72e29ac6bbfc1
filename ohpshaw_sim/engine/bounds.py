"""Ask a compiled agent about real views with bounds checking on: `python -m ohpshaw_sim.engine.bounds AGENT VIEWS.npy`.

To be run with NUMBA_BOUNDSCHECK=1 and a NUMBA_CACHE_DIR of its own. Prints one line; exit code 1 = it read or wrote
beyond the end of an array.
"""

import sys

import numpy as np

from ohpshaw_sim.engine.samples import compiled_halves, within_seconds
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.interface.discovery import resolve


def main(spec: str, file: str) -> int:
    """Ask the agent; return the exit code."""
    asked = 0
    recorded = np.load(file).view(np.recarray)
    try:
        for decide, params, views in compiled_halves(resolve(spec), recorded):
            for view in within_seconds(views):
                decide(view, params)
                asked += 1
    except IndexError as error:
        print(f"it reads or writes beyond the end of an array: {error}")
        return 1
    except OhPshawError as error:
        print(error)
        return 1
    print(f"{asked} views with bounds checking on")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
