"""The kinds of agent, and what the engine needs of each.

Compiled     `bid(view, params) -> int` and `play(view, params) -> int`: numba-compilable functions of one view record
             and a read-only float64 array, so that another weight never recompiles. `CompiledAgent` holds them.
Vectorised   an object with `bids(batch)` and `plays(batch)`: arrays over many decisions in, an integer array out.
Scalar       an object with `bid(view)` and `play(view)`: one decision at a time, plain Python ints and lists.

Under rules with Wizards a dealer may have to name trump, a suit 0..3. An agent with a mind of its own about that has
`name_trump(view, params)`, `name_trumps(batch)` or `name_trump(view)`; for others their longest suit is named.

An agent is a pure function of what it is handed. A vectorised or scalar agent that wants memory may define
`matches_begin(count)`: it is called before a batch of `count` matches, and `batch.match` (`view.match`) is then the
number 0..count-1 of the match that each row belongs to.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numba
import numpy as np
from numba.core import errors as numba_errors
from numba.core import types

from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.view import VIEW
from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bidding import longest_suit

VIEW_TYPE: Final = numba.from_dtype(VIEW)
PARAMS_TYPE: Final = types.Array(types.float64, 1, "C", readonly=True)

_WIDEST: Final = np.iinfo(np.int64).max

Decide: TypeAlias = Callable[[Any, Any], int]
Promise: TypeAlias = Callable[[Any, Any, Any], float]


@jit
def name_longest_suit(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Name the longest suit of the hand, of equally long ones that with the higher cards."""
    return longest_suit(view.hand)


@dataclass(frozen=True, eq=False)
class CompiledAgent:
    """An agent whose `bid` and `play` are functions `(view, params) -> int` that numba can compile.

    `params` are the numbers handed to each as a read-only float64 array. `name_trump`, of the same form, names trump
    when a Wizard was turned. `promise`, a function `(view, bid, params) -> float`, tells what chance the agent gives a
    bid to be hit, for studies of how far that can be believed; None = the agent does not tell.
    """

    bid: Decide
    play: Decide
    params: Sequence[float] = ()
    name_trump: Decide = name_longest_suit
    promise: Promise | None = None

    @cached_property
    def params_array(self) -> Any:
        """The parameters as a read-only float64 array; its memory lives as long as the agent."""
        array = np.array(self.params, np.float64)
        array.setflags(write=False)
        return array


@runtime_checkable
class VectorAgent(Protocol):
    """An agent that answers many decisions at once, each call with one integer array."""

    def bids(self, batch: Any) -> Any:
        """Return an int array of bids, one per row of the batch."""

    def plays(self, batch: Any) -> Any:
        """Return an int array of cards, one per row of the batch."""


Agent: TypeAlias = CompiledAgent | VectorAgent


class ScalarView:
    """One decision for a scalar Python agent: every field of `VIEW` as an int or a (nested) list of ints.

    A private copy: writing to what it returns changes nothing. `match` numbers the match within its batch.
    """

    __slots__ = ("_record", "match")

    def __init__(self, record: Any, match: int) -> None:
        self._record = record
        self.match = match

    def __getattr__(self, name: str) -> Any:
        try:
            return self._record[name].tolist()
        except ValueError:
            raise AttributeError(
                f"a view has no field {name!r}; its fields are {', '.join(VIEW.names or ())}"
            ) from None


class ScalarAdapter:
    """A vectorised agent made of an object with `bid(view)` and `play(view)`."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        if hasattr(agent, "matches_begin"):
            self.matches_begin = agent.matches_begin
        if hasattr(agent, "name_trump"):
            self.name_trumps = self._name_trumps

    def bids(self, batch: Any) -> Any:
        """Return the bids of a batch, asked one by one."""
        return self._ask(self.agent.bid, batch)

    def plays(self, batch: Any) -> Any:
        """Return the cards of a batch, asked one by one."""
        return self._ask(self.agent.play, batch)

    def _name_trumps(self, batch: Any) -> Any:
        """Return the trumps named in a batch, asked one by one."""
        return self._ask(self.agent.name_trump, batch)

    def _ask(self, decide: Callable[[ScalarView], Any], batch: Any) -> Any:
        answers = [decide(view) for view in batch]
        for answer in answers:
            if not isinstance(answer, int | np.integer) or isinstance(answer, bool):
                raise AgentError(f"it answered {answer!r}, a {type(answer).__name__}; an answer is an int")
        return np.array([min(max(int(answer), -_WIDEST), _WIDEST) for answer in answers], np.int64)


def as_agent(made: Any, where: str) -> Agent:
    """Return the agent that `make_agent` made, adapted where needed.

    Raises AgentError, naming `where`, when it is none of the three kinds.
    """
    if isinstance(made, CompiledAgent | VectorAgent):
        return made
    if callable(getattr(made, "bid", None)) and callable(getattr(made, "play", None)):
        return ScalarAdapter(made)
    raise AgentError(
        f"{where} made {type(made).__name__}, which is no agent; "
        "return a CompiledAgent, an object with bid and play, or one with bids and plays"
    )


def compile_decision(decide: Decide, what: str) -> Any:
    """Compile one function of a compiled agent for the engine's types and return its dispatcher.

    Raises AgentError, naming `what`, when it does not compile or does not return an integer: an explicit signature
    would cast a float answer silently, so the inferred type is looked at first. Interpreted, it is returned as it is.
    """
    function = getattr(decide, "py_func", decide)
    if JIT_DISABLED:
        return function
    dispatcher: Any = jit(function)
    try:
        dispatcher.compile((VIEW_TYPE, PARAMS_TYPE))
    except (numba_errors.NumbaError, LookupError, TypeError, ValueError) as error:  # what typing may raise
        raise AgentError(f"{what} does not compile: {_first_line(error)}") from error
    (result,) = (compiled.signature.return_type for compiled in dispatcher.overloads.values())
    if not isinstance(result, types.Integer):
        raise AgentError(f"{what} answers with {result}, not an integer; convert on purpose, with int(...)")
    if result != types.int64:
        return numba.njit(types.int64(VIEW_TYPE, PARAMS_TYPE), nogil=True)(function)
    return dispatcher


def _first_line(error: Exception) -> str:
    """Return the line of numba's message that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [
        line for line in lines if not line.startswith(("Failed in", "During:", "File", "-", ">", "\x1b"))
    ]
    return (telling or lines or ["no reason given"])[0]
