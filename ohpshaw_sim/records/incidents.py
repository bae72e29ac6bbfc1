"""What happened at the table beside the play, revokes and forfeits, and how the keys of records are read."""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError, ValidationInfo

from ohpshaw_sim.errors import MalformedError
from ohpshaw_sim.reading import sentence_of
from ohpshaw_sim.records.spelling import shown, whole_reader

CAUGHT_BEFORE: Final = "caught-before"
"""A revoke found before the next lead: the record holds the card that was played instead (B12)."""
CAUGHT_LATER: Final = "caught-later"
"""A revoke found later: the trick stands, the seat scores 0 less the penalty (B12, V14)."""
MOST: Final = 99
"""Seats, hand sizes and tricks above this are no slip of the pen."""
FAR: Final = 9_999
"""Likewise for bids, points and numbers of rounds."""

Reader: TypeAlias = Callable[[object, str], Any]


def key(read: Reader) -> Any:
    """Return a pydantic validator that reads a key by a reader which is told the key's name."""

    def validate(given: object, info: ValidationInfo) -> Any:
        return read(given, str(info.field_name))

    return PlainValidator(validate)


def or_null(read: Reader) -> Reader:
    """Return a reader that also takes null."""
    return lambda given, where: None if given is None else read(given, where)


def listed(read: Reader) -> Reader:
    """Return a reader of lists whose errors name the place."""

    def read_all(given: object, where: str) -> tuple[Any, ...]:
        if not isinstance(given, list | tuple):
            raise MalformedError(f"{where}: {shown(given)} should be a list")
        return tuple([read(item, f"{where}[{place}]") for place, item in enumerate(given)])

    return read_all


def text(given: object, where: str) -> str:
    """Read text."""
    if isinstance(given, str):
        return given
    raise MalformedError(f"{where}: {shown(given)} should be text in quotes")


small, far = whole_reader(0, MOST), whole_reader(-FAR, FAR)
trick_number = whole_reader(1, MOST)


class Revoke(BaseModel):
    """A card that did not follow though it could have, as it was found at the table (B12)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seat: Annotated[int, key(small)]
    """Who revoked."""
    kind: Literal["caught-before", "caught-later"]
    """When it was found: before the next lead, or later."""
    trick: Annotated[int | None, key(or_null(trick_number))] = None
    """The trick's number, 1 for the first."""


class Forfeit(BaseModel):
    """A seat whose agent failed in this round: it scores 0, its later answers are random ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seat: Annotated[int, key(small)]
    """Who forfeited."""
    kind: Literal["exception", "illegal", "hang", "crash", "memory"]
    """What kind of fault it was."""
    decision: Annotated[int | None, key(or_null(small))] = None
    """The decision it failed at: 0 its bid, 1, 2, ... its cards; one above all cards, 21, naming trump."""
    reason: Annotated[str | None, key(or_null(text))] = None
    """What the agent did, in words."""


def _incident(model: type[BaseModel], what: str, keys: str) -> Reader:
    """Return a reader of one kind of incident."""

    def read(given: object, where: str) -> Any:
        if isinstance(given, model):
            return given
        if not isinstance(given, dict):
            raise MalformedError(f"{where}: {shown(given)} should be {what}: {keys}")
        try:
            return model(**given)
        except ValidationError as error:
            raise MalformedError(f"{where}: {sentence_of(error, what, list(model.model_fields))}") from None
        except MalformedError as error:
            raise MalformedError(f"{where}.{error}") from None

    return read


revoke = _incident(Revoke, "a revoke", "seat, kind, and trick if known")
forfeit = _incident(Forfeit, "a forfeit", "seat, kind, and decision and reason if known")
