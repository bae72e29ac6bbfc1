"""The charts of the page, one axis each, so that they stand side by side on a desk and below each other on a phone."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ohpshaw_sim.charts.style import INK, Look, looks_of, plain_style
from ohpshaw_sim.report.svg import inline_svg

WIDTH: Final = 4.4
"""Inches: on a phone 390 pixels wide, text of 9 points is then read at about its own size."""
HEIGHT: Final = 2.9
SMALL: Final = 2.3
"""Width of the panels that an entrant has of its own."""


Draw = Callable[[Axes], object]
"""Draws a chart on an axis."""


class Picture(NamedTuple):
    """A chart: what it shows, in which unit, and the SVG."""

    title: str
    unit: str
    svg: Markup


def page_looks(agents: Iterable[str]) -> dict[str, Look]:
    """Give entrants the looks of the plots, but ink for black, which is not seen on dark paper."""
    looks = looks_of(list(agents))
    return {
        agent: look._replace(colour=INK) if look.colour == "#000000" else look
        for agent, look in looks.items()
    }


def picture(draw: Draw, name: str, about: str, height: float) -> Picture:
    """Draw one axis. Its title and the label of its y axis become text of the page, where they wrap and are read.

    `name` begins its ids, `about` is read out in its place, `height` is in inches.
    """
    with plain_style():
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        ax = figure.subplots()
        draw(ax)
        title, unit = ax.get_title(loc="left"), ax.get_ylabel()
        ax.set_title("", loc="left")
        ax.set_ylabel("")
        return Picture(title, unit, inline_svg(figure, name, f"Chart: {about}."))


def panel(draw: Draw, name: str, about: str, height: float, title: str) -> Picture:
    """Draw a small picture, one of many alike, under a title of the page; room for labels is fixed, which is faster."""
    with plain_style():
        figure = Figure(figsize=(SMALL, height))
        left, bottom, edge = 0.4, 0.42, 0.06
        rectangle = (left / SMALL, bottom / height, 1 - (left + edge) / SMALL, 1 - (bottom + edge) / height)
        ax = figure.add_axes(rectangle, anchor="SW")
        draw(ax)
        for axes in (ax, *ax.child_axes):
            if isinstance(axes, Axes):
                axes.set_title("", loc="left")
        ax.set_ylabel("")
        return Picture(title, "", inline_svg(figure, name, f"Chart: {about}."))


def swatch(look: Look, name: str) -> Markup:
    """Draw an entrant's line and marker, for keys and tables."""
    with plain_style():
        figure = Figure(figsize=(0.42, 0.16))
        line = Line2D(
            [0.04, 0.5, 0.96], [0.5, 0.5, 0.5], markevery=[1], markersize=5, linewidth=1.6, color=look.colour,
            marker=look.marker, linestyle=look.dash,
        )  # fmt: skip
        figure.add_artist(line)
        return inline_svg(figure, name, "")
