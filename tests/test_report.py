"""The page of a run: whole by itself, safe against names, the same bytes each time, and fit for any run."""

import json
from pathlib import Path

import matplotlib as mpl
import pandas as pd
import pytest

from ohpshaw_sim.analysis.run import Run, load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.report.page import report_html, write_report
from report_page import Page
from synthetic_run import THREE_AGENTS, write_run

HOSTILE = {
    "<img src=x onerror=alert(1)>": 0.6,
    "a'b\"&amp;</svg><script>alert(2)</script>": 0.4,
    "{{ 7 * 7 }} $\\frac$ ]]>": 0.2,
}
LONG = {"monte-carlo:worlds=200,rollout=greedy+count-winners": 0.6, "x" * 80: 0.5, "random": 0.0}

pytestmark = pytest.mark.filterwarnings("error")


def run_in(folder: Path, **options: object) -> Run:
    write_run(folder, **options)  # type: ignore[arg-type]  # handed on
    return load_run(folder)


def page_of(run: Run, **more: pd.DataFrame) -> Page:
    return Page(report_html(run, make_tables(run) | more))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_in(tmp_path_factory.mktemp("run"), players=(3, 4), hand_sizes=(1, 2, 5), sets=64)


@pytest.fixture(scope="module")
def html(run: Run) -> str:
    return report_html(run, make_tables(run))


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_it_is_whole_by_itself(page: Page) -> None:
    assert page.loads() == []
    assert page.repeated_ids() == []
    assert page.dangling() == []
    assert page.only("html").attributes["lang"] == "en"
    policy = [meta.attributes["content"] for meta in page.all("meta") if "http-equiv" in meta.attributes]
    assert policy[0].startswith("default-src 'none'")


def test_tables_have_captions_and_headings(page: Page) -> None:
    tables = page.all("table")
    assert len(tables) > 10
    for table in tables:
        tags = [element.tag for element in table.below]
        assert tags.count("caption") == 1
        headings = [element for element in table.below if element.tag == "th"]
        assert all(heading.attributes["scope"] in ("col", "row") and heading.text for heading in headings)
        columns = sum(heading.attributes["scope"] == "col" for heading in headings)
        rows = [element for element in table.below if element.tag == "tr"]
        for row in rows:
            assert sum(element.tag in ("td", "th") for element in row.below) == columns


def test_pictures_say_what_they_are_and_take_their_colours_from_the_page(page: Page) -> None:
    charts = [svg for svg in page.all("svg") if svg.above[-1].tag == "figure"]
    assert len(charts) == 2 * (8 + 2 * len(THREE_AGENTS))
    for chart in charts:
        assert chart.attributes["role"] == "img"
        assert chart.attributes["aria-label"].startswith("Chart: ")
        styles = " ".join(element.attributes.get("style", "") for element in chart.below)
        assert "var(--" in styles
        assert "#" not in styles.replace("url(#", "")


def test_it_has_a_chapter_for_each_number_of_players_and_all_sections(page: Page) -> None:
    assert [heading.text for heading in page.all("h2")] == [
        "Three players",
        "Four players",
        "How to reproduce",
    ]
    sections = (
        "Standings", "Matches", "One against another", "Ratings", "By hand size", "By position", "Bids", "Zero bids",
        "Convergence", "Efficiency",
    )  # fmt: skip
    assert [heading.text for heading in page.all("h3")] == [*sections, *sections]
    assert [answer.text.split(".")[0] for answer in page.classed("answer")] == [
        "Three players",
        "Four players",
    ]


def test_figures_are_those_of_the_tables(run: Run, page: Page) -> None:
    best = make_tables(run)["standings"].iloc[0]
    table = next(table for table in page.all("table") if "Standings, best first" in table.text)
    row = next(element for element in table.below if element.tag == "tr" and best["agent"] in element.text)
    cells = [element for element in row.below if element.tag in ("td", "th")]
    headings = [element.text for element in table.below if element.attributes.get("scope") == "col"]
    shown = dict(zip(headings, cells, strict=True))
    assert shown["agent"].text == best["agent"]
    points = [best[f"points_per_round{end}"] for end in ("", "_low", "_high")]
    assert shown["points / round"].text == "{:.2f}{:.2f} to {:.2f}".format(*points)
    key = float(shown["points / round"].attributes["data-sort"])
    assert key == pytest.approx(best["points_per_round"], abs=1e-6)
    assert shown["won %"].text.startswith(f"{100 * best['win_share']:.1f}")
    assert shown["rounds"].text == f"{best['rounds']:,}"


def test_the_same_run_gives_the_same_bytes(run: Run, html: str) -> None:
    with mpl.rc_context({"font.size": 30, "svg.hashsalt": "another", "axes.facecolor": "pink"}):
        path = write_report(run, make_tables(load_run(run.folder)))
    assert path.read_bytes() == html.encode()
    assert [path.name for path in run.folder.glob("*report*")] == ["report.html"]


def test_names_cannot_break_out(tmp_path: Path) -> None:
    run = run_in(tmp_path, agents=HOSTILE, players=(3,), hand_sizes=(1, 2), sets=16)
    page = page_of(run)
    assert page.all("img") == []
    assert len(page.all("script")) == 1
    assert not any(name.startswith("on") for element in page.elements for name in element.attributes)
    for name in HOSTILE:
        assert name.split("$")[0].strip() in page.only("body").text
    assert "49" not in page.only("h1").text
    assert page.loads() == page.repeated_ids() == page.dangling() == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sets": 1, "parts": 1, "hand_sizes": (3,)}, "One set gives no interval"),
        ({"agents": {"random": 0.0}, "sets": 8, "hand_sizes": (1, 2)}, "There is nobody to compare it with"),
        ({"agents": LONG, "sets": 8, "hand_sizes": (2,), "block_sets": 1}, "In this field of three"),
        (
            {
                "agents": {f"agent-{i:02d}": i / 14 for i in range(14)},
                "sets": 14,
                "block_sets": 1,
                "hand_sizes": (1,),
            },
            "It never sat at a table with",
        ),
    ],
    ids=["one set", "one entrant", "long names and one hand size", "more entrants than meet"],
)
def test_odd_runs_have_a_page(tmp_path: Path, options: dict[str, object], said: str) -> None:
    page = page_of(run_in(tmp_path, **options))
    assert said in page.only("header").text
    assert page.loads() == page.repeated_ids() == page.dangling() == []


def test_what_is_unfinished_or_went_wrong_is_said_up_front(tmp_path: Path) -> None:
    write_run(tmp_path, sets=16, hand_sizes=(1,))
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"sets": 48}))
    faults = pd.DataFrame(
        {
            "agent": ["random", "random", None],
            "players": [4, 4, 4],
            "kind": ["exception", "hang", "quarantine"],
            "count": [1200, 3, 2],
        }
    )
    page = page_of(load_run(tmp_path), faults=faults)
    unfinished, failed = (warning.text for warning in page.classed("warning"))
    assert "16 of 48 sets (33 %)" in unfinished
    assert failed.startswith("Agents failed in this run: random 1,203 times. Left out: two blocks of sets")
    assert "Faults" in [heading.text for heading in page.all("h2")]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"sets": None}))
    assert "16 sets were played so far" in page_of(load_run(tmp_path)).only("header").text


def test_further_tables_and_those_that_nobody_has_heard_of_are_shown(tmp_path: Path) -> None:
    run = run_in(tmp_path, players=(3,), sets=8, hand_sizes=(1,))
    news = pd.DataFrame(
        {
            "players": [3, 3],
            "agent": ["random", "monte-carlo"],
            "glory": [1.5, float("nan")],
            "glory_low": [1.0, float("nan")],
            "glory_high": [2.0, float("nan")],
            "luck_rate": [0.25, 0.5],
            "remark": ["<b>bold</b>", None],
        }
    )
    ratings = pd.DataFrame(
        {"agent": ["random", "monte-carlo"], "players": 3, "rating": [0.5, -0.5], "low": [0.1, float("nan")],
         "high": [0.9, float("nan")], "rank": [1, 2], "rank_low": [1, 1], "rank_high": [2, 2]}
    )  # fmt: skip
    page = page_of(run, news=news, ratings=ratings)
    (table,) = [table for table in page.all("table") if table.text.startswith("news")]
    headings = [element.text for element in table.below if element.attributes.get("scope") == "col"]
    assert headings == ["agent", "glory", "luck rate %", "remark"]
    (rated,) = [
        section for section in page.all("section") if section.attributes["aria-labelledby"] == "ratings-3"
    ]
    assert "0.500.10 to 0.90" in rated.text
    assert "11 to 2" in rated.text
    assert sum(element.tag == "figure" for element in rated.below) == 1
    cells = [element.text for element in table.below if element.tag in ("td", "th")][4:]
    assert cells == ["random", "1.501.00 to 2.00", "25.0", "<b>bold</b>", "monte-carlo", "", "50.0", ""]


def test_it_tells_how_to_play_the_run_again(tmp_path: Path) -> None:
    write_run(tmp_path, sets=8, hand_sizes=(1, 2, 3))
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    command = "ohpshaw tournament random --seed 1 --out 'a & b'"
    more = {"command": command, "plan_hash": "0123abcd", "versions": {"python": "3.11.7"}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | more))
    page = page_of(load_run(tmp_path))
    assert page.only("pre").text == command
    told = dict(zip((e.text for e in page.all("dt")), (e.text for e in page.all("dd")), strict=True))
    assert told["Seed"] == "1"
    assert told["Plan hash"] == "0123abcd"
    assert told["Rules"] == "oh-pshaw"
    assert told["Hand sizes, four players"] == "1-3"
    assert told["Versions"] == "python 3.11.7"
