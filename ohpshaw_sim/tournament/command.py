"""The command line that plays a run again."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ohpshaw_sim.reading import write_numbers
from ohpshaw_sim.tournament.limits import TIME_LIMIT
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.spec import BLOCK_SETS, Spec


def resume_command(folder: Path) -> str:
    """Return the command, quoted for a POSIX shell, that goes on with the run in a folder."""
    return shlex.join(["ohpshaw", "resume", str(folder)])


def repeat_command(spec: Spec, options: Options, rule: Mapping[str, Any] | None = None) -> str:
    """Return the command, quoted for a POSIX shell, whose run has the same results.

    A comparison has a `rule` that it decides by.

    >>> repeat_command(Spec(agents=("random",), seed=7, sets=32), Options())
    'ohpshaw tournament random --sets 32 --seed 7'
    """
    words = ["ohpshaw", *_who(spec), *_decided(rule or {}), *_dealt(spec)]
    if spec.rules != "oh-pshaw":
        words += ["--rules", spec.rules]
    if spec.block_sets != BLOCK_SETS:
        words += ["--block-sets", str(spec.block_sets)]
    if spec.sets is not None:
        words += ["--max-sets" if spec.versus else "--sets", str(spec.sets)]
    elif options.seconds is not None:
        words += ["--for", f"{_number(options.seconds)}s"]
    words += ["--seed", str(spec.seed), *_kept(options)]
    if spec.on_fault != "stop":
        words += ["--on-fault", spec.on_fault]
    if options.time_limit != TIME_LIMIT:
        words += ["--time-limit", _number(options.time_limit)]
    if options.memory_limit is not None:
        words += ["--memory-limit", f"{-(-options.memory_limit // 2**20)}M"]
    if options.out is not None:
        words += ["--out", str(options.out)]
    return shlex.join(words)


def _who(spec: Spec) -> list[str]:
    """Return the words that say what is played by whom."""
    if not spec.versus:
        return ["tournament", *spec.agents]
    return ["compare", *spec.agents[:2], *(word for agent in spec.agents[2:] for word in ("--field", agent))]


def _decided(rule: Mapping[str, Any]) -> list[str]:
    """Return the words that say how a comparison decides."""
    words = []
    for name, value in rule.items():
        flag = f"--{name.replace('_', '-')}"
        if value is not None and value is not False:
            words += [flag] if value is True else [flag, _number(value)]
    return words


def _number(value: float) -> str:
    """Write a number as it is, and a whole one without a point.

    >>> _number(0.05), _number(2.0), _number(1234567)
    ('0.05', '2', '1234567')
    """
    return str(int(value)) if value == int(value) else repr(value)


def _dealt(spec: Spec) -> list[str]:
    """Return the words that say who is dealt what; a file of deals says it all."""
    if spec.deals is not None:
        return ["--deals", spec.deals]
    players = [] if spec.players == (4,) else ["--players", write_numbers(spec.players)]
    sizes = [] if spec.hand_sizes is None else ["--hand-sizes", write_numbers(spec.hand_sizes)]
    return players + sizes


def _kept(options: Options) -> list[str]:
    """Return the words that say what is kept beside the sums, and which share of the run is played."""
    rounds = ["--save-rounds"] if options.save_rounds else []
    records = [] if options.records is None else ["--records", options.records]
    return rounds + records + ([] if options.shard is None else ["--shard", options.shard])
