"""Tables as CSV files that come out the same, byte for byte, whenever their numbers are the same."""

from pathlib import Path
from typing import Final

import pandas as pd

from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.tables import make_tables

DECIMALS: Final = 6
_P_VALUES: Final = ("p_holm", "largest_p_holm")


def write_tables(
    run: Run, folder: Path | None = None, *, tables: dict[str, pd.DataFrame] | None = None
) -> dict[str, pd.DataFrame]:
    """Write all tables of a run, each as `NAME.csv`, into a folder (default: the run's `tables`).

    `tables` are those of `make_tables`, made here unless they are given. Returns them by name. Other tables in the
    folder are left alone. Raises OSError where it cannot write.
    """
    folder = run.folder / "tables" if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True)
    tables = make_tables(run) if tables is None else tables
    for name, frame in tables.items():
        write_table(frame, folder / f"{name}.csv")
    return tables


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write a frame as CSV: UTF-8, `\\n`, six decimals (p-values: three digits), empty where not defined.

    The file is replaced as a whole, never left half-written.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_bytes(table_text(frame).encode())
    temporary.replace(path)


def table_text(frame: pd.DataFrame) -> str:
    """Return a frame as the text of its CSV file."""
    fixed = frame.copy()
    for name in frame.columns:
        if name in _P_VALUES:
            fixed[name] = frame[name].map("{:.2e}".format, na_action="ignore")
        elif frame[name].dtype.kind == "f":
            fixed[name] = frame[name].round(DECIMALS) + 0.0  # + 0.0: no minus before a rounded zero
    return fixed.to_csv(index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n")
