"""A Dask preload: this worker has another numba, as far as it says."""

from typing import Any

from ohpshaw_sim.tournament import far


def dask_setup(worker: Any) -> None:
    del worker
    truth = far.marks()
    far.marks = lambda: {**truth, "numba": "0.1"}  # type: ignore[assignment]
