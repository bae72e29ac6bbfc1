"""The form of a round record as a JSON Schema, for editors and other programs.

The schema and `RoundRecord` accept and refuse the same documents; a test sees to it. What holds between two keys (a bid
for each seat) and what the rules tell (a card dealt twice) a schema need not know.
"""

from typing import Any, Final

from ohpshaw_sim.engine.fault import FAULT_KINDS
from ohpshaw_sim.records.incidents import CAUGHT_BEFORE, CAUGHT_LATER, FAR, MOST
from ohpshaw_sim.records.record import BASE_RULES, KEYS, RoundRecord
from ohpshaw_sim.records.spelling import CARD_SCHEMA, CARDS_SCHEMA, TRUMP_SCHEMA, whole_schema

_SMALL: Final = whole_schema(0, MOST)
_FAR: Final = whole_schema(-FAR, FAR)
_TEXT: Final = {"type": "string"}


def _list_schema(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _null_or(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


_REVOKE_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "seat": _SMALL,
        "kind": {"enum": [CAUGHT_BEFORE, CAUGHT_LATER]},
        "trick": _null_or(whole_schema(1, MOST)),
    },
    "required": ["seat", "kind"],
    "additionalProperties": False,
}
_FORFEIT_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "seat": _SMALL,
        "kind": {"enum": list(FAULT_KINDS)},
        "decision": _null_or(_SMALL),
        "reason": _null_or(_TEXT),
    },
    "required": ["seat", "kind"],
    "additionalProperties": False,
}
_SCHEMA_OF: Final[dict[str, dict[str, Any]]] = {
    "rules": {"type": ["string", "object"], "default": BASE_RULES},
    "players": _SMALL,
    "dealer": _SMALL,
    "hand_size": _SMALL,
    "turn_up": _null_or(CARD_SCHEMA),
    "trump": TRUMP_SCHEMA,
    "hands": _null_or(_list_schema(_null_or(CARDS_SCHEMA))),
    "bids": _null_or(_list_schema(_null_or(_FAR))),
    "plays": CARDS_SCHEMA,
    "names": _null_or(_list_schema(_TEXT)),
    "round": _null_or(whole_schema(1, FAR)),
    "seed": _null_or(whole_schema(0, None)),
    "set": _null_or(whole_schema(0, None)),
    "rotation": _null_or(_SMALL),
    "lineup": _null_or(whole_schema(0, FAR)),
    "misdeal": {"type": "boolean", "default": False},
    "revokes": _list_schema(_REVOKE_SCHEMA),
    "forfeits": _list_schema(_FORFEIT_SCHEMA),
    "winners": _null_or(_list_schema(_SMALL)),
    "tricks": _null_or(_list_schema(_SMALL)),
    "scores": _null_or(_list_schema(_FAR)),
    "comment": _null_or(_TEXT),
}


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a round record, as docs/round-record.schema.json holds it."""
    fields = RoundRecord.model_fields
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A round of Oh Pshaw",
        "description": "Form of a round record; whether the rules were kept, `ohpshaw replay` tells.",
        "type": "object",
        "properties": {key: {"description": fields[key].description, **_SCHEMA_OF[key]} for key in KEYS},
        "required": [key for key in KEYS if fields[key].is_required()],
        "additionalProperties": False,
    }
