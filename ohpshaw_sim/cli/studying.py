"""Carrying out a study for people: progress, the summary on stdout, where the rest is."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from ohpshaw_sim.cli.results import say


def study_and_show(
    study: str, options: dict[str, Any], folder: Path, *, progress: bool, where: str = ""
) -> None:
    """Carry out a study into a folder and write its summary on stdout; `where` goes before what a request has wrong.

    Raises MalformedError, IllegalError, ConflictError, AgentError, FolderError.
    """
    from ohpshaw_sim.cli.study_progress import study_reporting
    from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError
    from ohpshaw_sim.studies.experiment import HOMES
    from ohpshaw_sim.studies.output import SUMMARY
    from ohpshaw_sim.studies.request import make_request

    home = import_module(HOMES[study])
    try:
        request = make_request(home.Request, options, f"a study of {study}")
    except (ConflictError, IllegalError, MalformedError) as error:
        raise type(error)(f"{where}{error}") from None
    say(f"seed {request.seed}")
    try:
        with study_reporting(enabled=progress) as told:
            home.carry_out(request, folder, told)
    except KeyboardInterrupt:
        say(f"interrupted: what was finished is kept in {folder}; the same command goes on from there")
        sys.stderr.flush()
        os._exit(130)  # threads in compiled code cannot be interrupted
    summary = folder / SUMMARY
    if summary.exists():
        sys.stdout.write(summary.read_text("utf-8"))
    say(f"folder  {folder}")
