"""Values that options choose from."""

from enum import StrEnum


class FormatChoice(StrEnum):
    """Forms of a result on stdout."""

    table = "table"
    json = "json"
    csv = "csv"


class DriverChoice(StrEnum):
    """Ways for the engine to play."""

    auto = "auto"
    compiled = "compiled"
    batched = "batched"


class FaultChoice(StrEnum):
    """What becomes of an agent that fails."""

    stop = "stop"
    forfeit = "forfeit"


class RulesFormat(StrEnum):
    """Forms of a set of rules on stdout."""

    text = "text"
    toml = "toml"
    json = "json"


class TiesChoice(StrEnum):
    """Which of the cards that are worth the same to it a seat plays."""

    average = "average"
    spite = "spite"
    first = "first"


class DealFormat(StrEnum):
    """Forms of a deal on stdout."""

    text = "text"
    json = "json"
