"""Reading a report by the parser of the standard library: its elements, and what is wrong with it."""

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import ClassVar


@dataclass
class Element:
    """An element with its attributes, the elements that hold it, and the text below it."""

    tag: str
    attributes: dict[str, str]
    above: list["Element"] = field(repr=False)
    below: list["Element"] = field(default_factory=list, repr=False)
    pieces: list[str] = field(default_factory=list, repr=False)

    @property
    def text(self) -> str:
        """The text in it, blanks as one."""
        return " ".join("".join(self.pieces).split())


class Page(HTMLParser):
    """A parsed page. Raises AssertionError where an element is closed that was not open, or not closed."""

    EMPTY: ClassVar = {"meta", "link", "br", "wbr", "img", "input", "hr"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(text)
        self.close()
        assert not self._open, f"{self._open[-1].tag} is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute of {tag} is given twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs}, list(self._open))
        for holder in self._open:
            holder.below.append(element)
        self.elements.append(element)
        if tag not in self.EMPTY:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"{tag} is closed, which was not open"
        assert self._open[-1].tag == tag, f"{tag} is closed inside of {self._open[-1].tag}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.pieces.append(data)

    def all(self, tag: str) -> list[Element]:
        """All elements of a kind, in order."""
        return [element for element in self.elements if element.tag == tag]

    def only(self, tag: str) -> Element:
        """The one element of a kind."""
        (element,) = self.all(tag)
        return element

    def classed(self, name: str) -> list[Element]:
        """All elements of a class."""
        return [element for element in self.elements if name in element.attributes.get("class", "").split()]

    def repeated_ids(self) -> list[str]:
        """Ids that more than one element has."""
        counts = Counter(element.attributes["id"] for element in self.elements if "id" in element.attributes)
        return [name for name, count in counts.items() if count > 1]

    def loads(self) -> list[str]:
        """What the page would fetch or lead to from elsewhere: addresses that are not its own."""
        found = []
        for element in self.elements:
            for name, value in element.attributes.items():
                if name in ("src", "srcset", "href", "xlink:href", "action", "data", "poster"):
                    found.append(value)
                found += re.findall(r"url\(([^)]*)\)", value)
        for style in self.all("style"):
            found += re.findall(r"url\(([^)]*)\)|@import\s+(\S+)", style.text)
        return [address for address in found if not address.startswith("#") and address != "data:,"]

    def dangling(self) -> list[str]:
        """References to ids that no element has."""
        ids = {element.attributes.get("id") for element in self.elements}
        wanted = set()
        for element in self.elements:
            wanted |= set(re.findall(r"url\(#([^)]*)\)", " ".join(element.attributes.values())))
            for name in ("href", "aria-labelledby"):
                value = element.attributes.get(name, "")
                wanted |= {value.removeprefix("#")} if value and not value.startswith("data:") else set()
        return sorted(name for name in wanted if name not in ids)
