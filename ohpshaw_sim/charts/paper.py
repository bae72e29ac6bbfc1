"""The paper that pictures are drawn on: a figure with a title, a footnote, the file it ends in."""

from pathlib import Path
from textwrap import wrap

from matplotlib.figure import Figure

from ohpshaw_sim.charts.style import GREY


def blank_figure(width: float, height: float, title: str) -> Figure:
    """Return an empty figure of so many inches with a title."""
    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", weight="bold", size=12)
    return figure


def footnote(figure: Figure, text: str) -> None:
    """Write a text below the figure, in lines of its width."""
    width = int(figure.get_figwidth() * 16.5)
    figure.supxlabel("\n".join(wrap(text, width)), x=0.01, ha="left", size=8, color=GREY)


def save(figure: Figure, path: Path) -> None:
    """Write a figure as a PNG whose bytes depend on nothing but the figure; never leave half a file."""
    temporary = path.with_name(f".{path.name}.tmp")
    figure.savefig(temporary, format="png", metadata={"Software": None})
    temporary.replace(path)
