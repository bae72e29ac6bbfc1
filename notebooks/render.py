"""Run the notebooks and write down what they show: `python notebooks/render.py [NAME...]`, all of them by default.

The sources are Markdown, `NAME.md` beside this script, which jupytext and Jupyter open as notebooks. What is rendered,
`rendered/NAME.md` and its pictures, is the same with the results, for reading on the web.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import jupytext
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

HERE: Final = Path(__file__).resolve().parent
RENDERED: Final = HERE / "rendered"
SOURCES: Final = {path.stem: path for path in sorted(HERE.glob("*.md")) if path.stem != "README"}


def render(name: str) -> tuple[str, dict[str, bytes]]:
    """Run a notebook in a folder of its own; return its text with the results, and its pictures by file name.

    Raises nbclient.exceptions.CellExecutionError, which shows the cell and its traceback, when a cell fails.
    """
    notebook: Any = jupytext.read(SOURCES[name])
    with tempfile.TemporaryDirectory() as folder:
        where = {"metadata": {"path": folder}}
        quiet = ["--log-level=40"]
        NotebookClient(
            notebook, timeout=900, kernel_name="python3", resources=where, extra_arguments=quiet
        ).execute()
    exporter: Any = MarkdownExporter
    text, resources = exporter().from_notebook_node(notebook, {"unique_key": name})
    text = "\n".join(line.rstrip() for line in text.strip().splitlines())
    text = text.replace("](../", "](../../").replace("![png]", "![What these lines draw]")
    note = f"<!-- Made from ../{name}.md by notebooks/render.py: what is to be changed is there. -->"
    return f"{note}\n\n{text}\n", resources["outputs"]


def main(names: list[str]) -> None:
    """Render the notebooks named, or all of them."""
    RENDERED.mkdir(exist_ok=True)
    for name in names or SOURCES:
        text, pictures = render(name)
        (RENDERED / f"{name}.md").write_text(text, "utf-8")
        for file, content in pictures.items():
            (RENDERED / file).write_bytes(content)
        print(f"rendered/{name}.md")


if __name__ == "__main__":
    main(sys.argv[1:])
