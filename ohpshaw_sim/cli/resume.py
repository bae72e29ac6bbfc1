"""`ohpshaw resume`: go on with a run from its folder alone."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from pathlib import Path
from typing import Annotated

import typer

from ohpshaw_sim.cli import play_options as option
from ohpshaw_sim.cli.choices import FormatChoice


def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder.", show_default=False)],
    sets: Annotated[
        int | None,
        typer.Option(metavar="N", help="Play until there are so many sets in all (default: as begun)."),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="TIME", help="Play on for 8h, 90m or 1h30m, also when it was finished."
        ),
    ] = None,
    jobs: option.Jobs = None,
    dask: option.Dask = None,
    driver: option.Driver = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Time for a decision, after which a user's agent counts as hung (default: as begun).",
        ),
    ] = None,
    memory_limit: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory of each worker process, as in 2G (default: as begun)."),
    ] = None,
    retry_quarantined: Annotated[
        bool,
        typer.Option(
            "--retry-quarantined", help="Play blocks again that were left out for killing their workers."
        ),
    ] = False,
    output: option.Output = FormatChoice.table,
    progress: option.ShowProgress = True,
) -> None:
    """Go on with a run that was interrupted, killed or is to grow.

    What was played stays as it is; parts that are torn or damaged are set
    aside and played again. The results are those of a run that was never
    interrupted, byte for byte. Agents given as files are looked for where
    they were, seen from the folder this command is given in.

    Examples:

      ohpshaw resume results/overnight

      ohpshaw resume results/overnight --sets 20000

      ohpshaw resume results/overnight --for 8h

      ohpshaw resume results/overnight --dask tcp://192.168.1.10:8786
    """
    from ohpshaw_sim.cli.playing import play_and_show
    from ohpshaw_sim.comparing.watching import watch_of
    from ohpshaw_sim.tournament.resuming import read_run_request

    spec, options = read_run_request(
        run,
        sets=sets,
        duration=duration,
        jobs=jobs,
        dask=dask,
        driver=driver and driver.value,
        time_limit=time_limit,
        memory_limit=memory_limit,
        retry_quarantined=retry_quarantined or None,
    )
    play_and_show(spec, options, output, resume=True, progress=progress, decider=watch_of(run, spec))
