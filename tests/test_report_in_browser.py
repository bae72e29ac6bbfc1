"""The page in a browser: nothing fetched, no error, tables that sort, light and dark, wide and narrow.

Needs Chromium on the machine; `playwright` brings the driver, not the browser.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.report.page import write_report
from synthetic_run import write_run

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
AGENTS = {
    "monte-carlo:worlds=200,rollout=greedy+count-winners": 0.6,
    "<img src=x onerror=alert(1)>": 0.3,
    "b": 0.0,
}
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run")  # fmt: skip

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium, chromium-browser or google-chrome on the path"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    write_run(folder, AGENTS, hand_sizes=(1, 2, 10), sets=24)
    run = load_run(folder)
    return write_report(run, make_tables(run))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    """Open the report; at the end, nothing but it must have been asked for, and nothing complained of."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("dialog", lambda dialog: complaints.append(dialog.message))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(report.as_uri())
    yield opened
    opened.wait_for_timeout(50)
    context.close()
    assert complaints == []
    assert [url for url in asked if url != "data:,"] == [report.as_uri()]


def table_of(page: Page, caption: str) -> Locator:
    return page.locator("table", has=page.locator("caption", has_text=re.compile(f"^{caption}$")))


def column(table: Locator, index: int) -> list[str]:
    cells = table.locator(f"tbody tr > :nth-child({index + 1})")
    return [" ".join(text.split()) for text in cells.all_text_contents()]


def test_a_click_sorts_numbers_as_numbers_and_says_so(page: Page) -> None:
    page.locator("summary", has_text="By hand size").first.click()
    table = table_of(page, "By hand size")
    heading = table.locator("thead th", has_text="hand size")
    assert heading.get_attribute("aria-sort") is None
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert column(table, 1) == ["10"] * 3 + ["2"] * 3 + ["1"] * 3
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert column(table, 1) == ["1"] * 3 + ["2"] * 3 + ["10"] * 3
    table.locator("thead th", has_text="agent").locator("button").click()
    assert heading.get_attribute("aria-sort") is None
    assert column(table, 0) == sorted(column(table, 0))
    assert column(table, 1) == ["1", "2", "10"] * 3  # equal rows keep their order


def test_numbers_below_zero_and_with_many_digits_are_sorted_as_numbers(page: Page) -> None:
    table = table_of(page, "Ratings, best first")
    heading = table.locator("thead th", has_text="rating")
    place = heading.evaluate("cell => cell.cellIndex")
    for row, value in zip(table.locator("tbody tr").all(), ("-9.5", "1e-7", "-10"), strict=True):
        cell = row.locator("th, td").nth(place)
        cell.evaluate("(cell, value) => { cell.dataset.sort = value; cell.textContent = value; }", value)
    heading.locator("button").click()
    assert column(table, place) == ["1e-7", "-9.5", "-10"]


def test_the_keyboard_sorts_too(page: Page) -> None:
    table = table_of(page, "Standings, best first")
    before = column(table, 1)
    button = table.locator("thead th", has_text="points / round").locator("button")
    button.focus()
    page.keyboard.press("Enter")
    assert column(table, 1) == before
    page.keyboard.press("Space")
    assert column(table, 1) == before[::-1]


def test_rows_without_a_figure_come_last_both_ways(page: Page) -> None:
    table = table_of(page, "Standings, best first")
    heading = table.locator("thead th", has_text="sets")
    cells = table.locator("tbody tr").first.locator("th, td")
    cells.nth(heading.evaluate("cell => cell.cellIndex")).evaluate(
        "cell => cell.removeAttribute('data-sort')"
    )
    best = column(table, 0)[0]
    button = heading.locator("button")
    for _ in range(2):
        button.click()
        assert column(table, 0)[-1] == best


def test_names_are_text_and_nothing_else(page: Page) -> None:
    assert page.locator("img").count() == 0
    assert "<img src=x onerror=alert(1)>" in page.locator("h1").inner_text()


def test_no_script_but_its_own_may_run(browser: Browser, report: Path) -> None:
    page = browser.new_page()
    page.goto(report.as_uri())
    added = "<p id=added onclick='window.caught = 1'>x</p>"
    page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", added)
    page.locator("#added").click()
    assert page.evaluate("window.caught") is None
    page.close()


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_the_page_is_as_wide_as_the_screen_and_tables_scroll_in_their_own_box(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    wide = table_of(page, "Standings, best first").locator("xpath=..")
    box = wide.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= width
    if width < 400:
        assert wide.evaluate("box => box.scrollWidth > box.clientWidth")


def test_dark_screens_get_light_ink_on_dark_paper_and_print_is_light(page: Page) -> None:
    ink, paper = (
        "getComputedStyle(document.querySelector('figure svg text')).fill",
        "getComputedStyle(document.body).backgroundColor",
    )

    def shade(colour: str) -> float:
        return sum(map(float, re.findall(r"[\d.]+", page.evaluate(colour))[:3])) / 3

    page.emulate_media(color_scheme="light")
    assert shade(paper) > 250
    assert shade(ink) < 60
    page.emulate_media(color_scheme="dark")
    assert shade(paper) < 40
    assert shade(ink) > 200
    page.emulate_media(color_scheme="dark", media="print")
    assert shade(paper) > 250
    assert shade(ink) < 60


def test_every_picture_is_drawn(page: Page) -> None:
    for picture in page.locator("figure svg").all():
        box = picture.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) > 100
    assert page.locator("figure svg").count() == 8 + 2 * len(AGENTS)
    swatch = page.locator("svg.swatch").first
    assert swatch.evaluate("svg => svg.querySelector('use').getBBox().width") > 5
