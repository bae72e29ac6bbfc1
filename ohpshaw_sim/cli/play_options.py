"""Arguments and options that several commands which play share, each declared once."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from ohpshaw_sim.cli.choices import DriverChoice, FaultChoice, FormatChoice

# Of `compare` and `plan`.

Agent: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="A", help="An agent, named as `ohpshaw tournament` takes it.", show_default=False),
]
Other: TypeAlias = Annotated[
    str, typer.Argument(metavar="B", help="The agent to compare it with.", show_default=False)
]
Field: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="AGENT",
        help="An agent for the other seats; give it as often as you like. Few are repeated, many take turns "
        "(default: count-winners).",
    ),
]
Players: TypeAlias = Annotated[
    str | None, typer.Option(metavar="N", help="Players at the table (default: 4).")
]
HandSizes: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="LIST", help="Hand sizes of a match: 10, 1-13 or 7,6,5 (default: the rules' schedule)."
    ),
]
Margin: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="POINTS",
        help="Differences below so many points per round count as none: the agents may be found equivalent.",
    ),
]
Alpha: TypeAlias = Annotated[
    float | None, typer.Option(metavar="SHARE", help="How often a decision may be false (default: 0.05).")
]
MinSets: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Decide nothing on fewer sets (default: 64).")
]
Exact: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--exact", help="Allow for agents that now and then lose whole matches; takes many more sets."
    ),
]
# Of these and of `tournament` and `resume`.

Seed: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Seed of cards and luck (default: drawn and shown).")
]
BlockSets: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Sets between two looks (default: 16).")
]
Jobs: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Threads or worker processes (default: all processors).")
]
Dask: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS|FILE|local:N", help="Play on a Dask cluster, as in `ohpshaw tournament`."),
]
Driver: TypeAlias = Annotated[
    DriverChoice | None,
    typer.Option(metavar="NAME", help="How the engine plays, to the same results (default: auto)."),
]
OnFault: TypeAlias = Annotated[
    FaultChoice | None,
    typer.Option(
        metavar="stop|forfeit",
        help="When a user's agent fails: stop, or have it forfeit the round and go on (default: stop).",
    ),
]
TimeLimit: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="Time for a decision, after which a user's agent counts as hung (default: 60).",
    ),
]
MemoryLimit: TypeAlias = Annotated[
    str | None, typer.Option(metavar="SIZE", help="Memory of each worker process, as in 2G.")
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Run folder (default: one named from the agents, in results/)."),
]
Output: TypeAlias = Annotated[FormatChoice, typer.Option("--format", help="Form of the result on stdout.")]
ShowProgress: TypeAlias = Annotated[
    bool, typer.Option("--progress/--no-progress", help="Report progress on stderr.")
]
PlayerNumbers: TypeAlias = Annotated[
    str | None, typer.Option(metavar="LIST", help="Players at a table: 4, 3,5 or 3-7 (default: 4).")
]
