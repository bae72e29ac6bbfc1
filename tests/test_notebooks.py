"""The notebooks run, and what is rendered of them is what they show."""

import re

import pytest

import render


@pytest.mark.slow
@pytest.mark.parametrize("name", render.SOURCES)
def test_a_notebook_shows_what_is_rendered(name: str) -> None:
    """Word by word, whatever the width of columns; pictures are only there, since fonts differ."""
    text, pictures = render.render(name)
    rendered = (render.RENDERED / f"{name}.md").read_text("utf-8")
    assert text.split() == rendered.split(), f"if that is meant: python notebooks/render.py {name}"
    for file, picture in pictures.items():
        assert (render.RENDERED / file).read_bytes()[:8] == picture[:8]


def test_the_rendered_folder_holds_what_its_texts_show_and_nothing_else() -> None:
    texts = {path.stem: path.read_text("utf-8") for path in render.RENDERED.glob("*.md")}
    assert texts.keys() == render.SOURCES.keys()
    shown = re.findall(r"!\[.*?\]\((.*?)\)", "".join(texts.values()))
    assert sorted(shown) == sorted(path.name for path in render.RENDERED.glob("*.png"))
    assert shown
