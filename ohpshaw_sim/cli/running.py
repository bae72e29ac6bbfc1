"""`ohpshaw run`: answer the question of an experiment's file."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ohpshaw_sim.cli import play_options as option
from ohpshaw_sim.cli.choices import FormatChoice

if TYPE_CHECKING:
    from ohpshaw_sim.studies.experiment import Experiment


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The experiment.", show_default=False)],
    demo: Annotated[
        bool,
        typer.Option("--demo", help="Play a small version that shows how it works: the file's \\[demo]."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where it goes (default: results/NAME, with --demo NAME-demo)."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Another seed than the file's.", show_default=False)
    ] = None,
    jobs: option.Jobs = None,
    publish: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Put tables, pictures and a page about them there, too, to be kept: results/reference/NAME.",
        ),
    ] = None,
    progress: option.ShowProgress = True,
) -> None:
    """Answer the question of an experiment: one TOML file with a study and its options.

    A study is a command that plays (tournament, compare) or one made of many
    line-ups (bidding, ladder, rules). The same line goes on with what was
    interrupted; what is there already is not played again.

    Examples:

      ohpshaw run experiments/seat-advantage.toml --demo

      ohpshaw run experiments/seat-advantage.toml

      ohpshaw run experiments/hook.toml --publish results/reference/hook
    """
    from ohpshaw_sim.cli.results import say
    from ohpshaw_sim.studies.experiment import read_experiment

    experiment = read_experiment(file, demo=demo)
    folder = out or Path("results") / f"{experiment.name}{'-demo' if demo else ''}"
    options = {
        **experiment.options,
        **{key: value for key, value in (("seed", seed), ("jobs", jobs)) if value is not None},
    }
    say(f"question  {experiment.question}")
    _answer(experiment, {**options}, folder, progress=progress)
    if publish is not None:
        from ohpshaw_sim.cli.publishing import publish_results

        words = ["ohpshaw", "run", str(file), *(["--demo"] if demo else [])]
        words += [] if seed is None else ["--seed", str(seed)]
        publish_results(experiment, folder, publish, shlex.join([*words, "--publish", str(publish)]))
        say(f"published in {publish}")


def _answer(experiment: "Experiment", options: dict[str, Any], folder: Path, *, progress: bool) -> None:
    """Carry out the study of an experiment, naming its file in whatever the options have wrong."""
    from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError
    from ohpshaw_sim.studies.experiment import HOMES

    if experiment.study in HOMES:
        from ohpshaw_sim.cli.studying import study_and_show

        study_and_show(experiment.study, options, folder, where=f"in {experiment.path}: ", progress=progress)
        return
    try:
        spec, how, decider = _read(experiment.study, {**options, "out": folder})
    except (ConflictError, IllegalError, MalformedError) as error:
        raise type(error)(f"in {experiment.path}: {error}") from None
    from ohpshaw_sim.cli.playing import play_and_show

    there = (folder / "manifest.json").exists()
    play_and_show(spec, how, FormatChoice.table, resume=there, progress=progress, decider=decider)


def _read(study: str, options: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Return the spec, the options and the decider of a tournament or comparison."""
    from ohpshaw_sim.cli.tournament import ABOUT_SETS
    from ohpshaw_sim.tournament.options import read_request

    if study == "tournament":
        return *read_request(None, options, ABOUT_SETS), None
    from ohpshaw_sim.comparing.request import FIELD, read_comparison
    from ohpshaw_sim.comparing.watching import Watch
    from ohpshaw_sim.errors import MalformedError

    agents, field = options.pop("agents", ()), options.pop("field", FIELD)
    for name, names in (("agents", agents), ("field", field)):
        if not isinstance(names, list | tuple) or not all(isinstance(one, str) for one in names):
            raise MalformedError(f"{name} is {names!r}; it should be a list of agents")
    spec, how, rule = read_comparison(agents, field, options)
    return spec, how, Watch(spec, rule)
