"""A matplotlib figure as SVG inside a page: its colours are the page's, and its ids meet no other picture's."""

import io
import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.figure import Figure

from ohpshaw_sim.charts.style import COLOURS, GREY, HEAT, INK, LIGHT, ON_HEAT

VARIABLES: Final = {
    **{colour: f"--entrant-{index}" for index, colour in enumerate(COLOURS) if colour != "#000000"},
    INK: "--ink",
    GREY: "--muted",
    LIGHT: "--rule",
    HEAT: "--heat",
    ON_HEAT: "--on-heat",
    "#FFFFFF": "--paper",
}
"""Which CSS variable stands for which colour of the charts. matplotlib leaves pure black out of an SVG: charts of a
page use INK instead."""

_STABLE: Final = {"Date": None, "Creator": None, "Format": None, "Type": None}
_REFERENCE: Final = re.compile(r"#([\w.-]+)")
_COLOUR: Final = re.compile("|".join(VARIABLES), re.IGNORECASE)
_LONG: Final = re.compile(r"-?\d+\.\d{3,}")
_FONT_FAMILY: Final = re.compile(r" font-family: [^;]*;")
_NO_TURN: Final = "rotate(-0 "


def inline_svg(figure: Figure, name: str, label: str) -> Markup:
    """Return a figure as an `<svg>` element that scales with the page.

    `name` begins its ids and must be another for every picture of a page; `label` is read out in its place. Text
    stays text, in the page's font. The same figure gives the same characters, whatever else was drawn.
    """
    for text in (text for axes in figure.axes for text in axes.texts):
        text.set_path_effects([])  # text with an outline would be drawn as shapes; the page outlines all
    drawn = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none"}):
        figure.savefig(drawn, format="svg", transparent=True, metadata=_STABLE)
    root = ElementTree.fromstring(drawn.getvalue())
    _simplify(root)
    _flatten(root)
    _rename_ids(root, name)
    box = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib.update({"viewBox": box, "role": "img", "aria-label": label})
    # Not unsafe: ElementTree has escaped all text.
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _simplify(root: ElementTree.Element) -> None:
    """Leave out namespaces and digits that nobody sees; hand colours and fonts over to the page."""
    for element in root.iter():
        element.tag = _local(element.tag)
        found = {_local(key): value for key, value in element.attrib.items()}
        if found.get("transform", "").startswith(_NO_TURN):
            del found["transform"]
        for key in found.keys() & {"d", "x", "y", "transform", "width", "height"}:
            found[key] = _LONG.sub(lambda number: f"{float(number[0]):.2f}", found[key])
        if "style" in found:
            plain = _FONT_FAMILY.sub("", found["style"])
            found["style"] = _COLOUR.sub(lambda colour: f"var({VARIABLES[colour[0].upper()]})", plain)
        element.attrib.clear()
        element.attrib.update(found)


def _flatten(parent: ElementTree.Element) -> None:
    """Drop style sheets, metadata and what cannot be seen, blanks between elements, and groups that say nothing."""
    kept: list[ElementTree.Element] = []
    referred = set(_references_below(parent))
    for child in list(parent):
        parent.remove(child)
        _flatten(child)
        child.tail = None
        if child.tag in ("metadata", "style") or _invisible(child):
            continue
        if (
            child.tag in ("g", "defs")
            and not (set(child.attrib) - {"id"})
            and child.get("id") not in referred
        ):
            kept.extend(child if child.tag == "g" else _as_definitions(child))
        else:
            kept.append(child)
    parent.extend(kept)
    if parent.tag != "text":
        parent.text = None


def _as_definitions(defs: ElementTree.Element) -> list[ElementTree.Element]:
    defs.attrib.clear()
    return [defs] if len(defs) else []


def _invisible(element: ElementTree.Element) -> bool:
    """Say whether an element shows nothing: no shade at all, or a shape without fill and stroke."""
    style = element.get("style", "")
    return "opacity: 0;" in f"{style};" or (element.tag == "path" and style == "fill: none")


def _rename_ids(root: ElementTree.Element, name: str) -> None:
    """Number the ids that are referred to in their order, for matplotlib draws them by lot, and drop the others."""
    wanted = set(_references_below(root))
    names: dict[str, str] = {}
    for element in root.iter():
        own = element.attrib.pop("id", None)
        if own in wanted:
            names[own] = f"{name}-{len(names)}"
            element.set("id", names[own])
    for element in root.iter():
        for key in ("href", "clip-path"):
            if key in element.attrib:
                element.set(key, _REFERENCE.sub(lambda found: f"#{names[found[1]]}", element.attrib[key]))


def _references_below(root: ElementTree.Element) -> Iterator[str]:
    for element in root.iter():
        for key in ("href", "clip-path"):
            yield from _REFERENCE.findall(element.get(key, ""))


def _local(name: str) -> str:
    return name.rpartition("}")[2]
