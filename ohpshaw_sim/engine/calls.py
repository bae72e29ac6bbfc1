"""Calling a compiled agent through the native address of its function.

One compilation of the engine serves every line-up, exceptions of an agent propagate, and a call costs 1 to 3 ns. The
address comes from numba's compile result and the call goes through numba's own calling convention; both are only
semi-public, so they stand in this file and nowhere else. `params` reach the agent as a read-only array built on the
spot from an address and a length: an array handed over as such would cost atomic reference counts at every call.

Under `NUMBA_DISABLE_JIT=1` an "address" is the number of a Python function.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from ohpshaw_sim.interface.agent import PARAMS_TYPE, VIEW_TYPE, CompiledAgent, compile_decision
from ohpshaw_sim.interface.view import VIEW
from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit

OUTSIDE: Final = np.uint64(0)
"""The address of no function: the decision belongs to an agent that is not compiled."""


@dataclass(frozen=True)
class Calls:
    """Native addresses of a compiled agent's functions and parameters, and what keeps that memory alive."""

    bid: int
    play: int
    name: int
    params: int
    params_count: int
    alive: tuple[Any, ...]


_interpreted: list[Any] = [None]


@cache
def calls_of(agent: CompiledAgent) -> Calls:
    """Compile an agent, once in a process, and return its addresses; they stay valid in this process.

    Raises AgentError when it does not compile or answers with anything but an integer.
    """
    bid = compile_decision(agent.bid, "its bid function")
    play = compile_decision(agent.play, "its play function")
    name = compile_decision(agent.name_trump, "its name_trump function")
    params = agent.params_array
    return Calls(
        bid=_address_of(bid),
        play=_address_of(play),
        name=_address_of(name),
        params=params.ctypes.data,
        params_count=params.size,
        alive=(bid, play, name, params),
    )


def _address_of(dispatcher: Any) -> int:
    if JIT_DISABLED:
        _interpreted.append(dispatcher)
        return len(_interpreted) - 1
    (compiled,) = dispatcher.overloads.values()
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


if JIT_DISABLED:
    import ctypes

    def call_agent(address: Any, view: Any, params: Any, params_count: int) -> int:
        """Ask a compiled agent: its answer to a view."""
        memory = (ctypes.c_double * int(params_count)).from_address(int(params)) if params_count else ()
        array = np.array(memory, np.float64)
        array.setflags(write=False)
        return int(_interpreted[int(address)](view, array))

    def copy_view(target: Any, source: Any) -> None:
        """Copy a view record over another one."""
        for name in VIEW.names or ():
            target[name] = source[name]

else:

    @intrinsic
    def call_agent(_context: Any, _address: Any, _view: Any, _params: Any, _params_count: Any) -> Any:
        """Ask a compiled agent: `call_agent(address, view, params address, params count)` is its int64 answer."""

        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            address, view, params, count = args
            array = make_array(PARAMS_TYPE)(context, builder)
            width = context.get_constant(types.intp, 8)
            populate_array(
                array,
                data=builder.inttoptr(params, context.get_data_type(types.float64).as_pointer()),
                shape=[count],
                strides=[width],
                itemsize=width,
                meminfo=None,
            )
            arguments = (VIEW_TYPE, PARAMS_TYPE)
            convention = context.call_conv
            function_type = convention.get_function_type(types.int64, arguments)
            function = builder.inttoptr(address, function_type.as_pointer())
            values = [view, array._getvalue()]
            status, answer = convention.call_function(builder, function, types.int64, arguments, values)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return answer

        return types.int64(types.uint64, VIEW_TYPE, types.uint64, types.int64), generate

    @intrinsic
    def copy_view(_context: Any, _target: Any, _source: Any) -> Any:
        """Copy a view record over another one: `copy_view(target, source)`, a plain memcpy."""

        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            size = context.get_constant(types.intp, VIEW.itemsize)
            cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
            return context.get_dummy_value()

        return types.void(VIEW_TYPE, VIEW_TYPE), generate


@jit
def ask_all(views: Any, address: Any, params: Any, params_count: int) -> int:
    """Ask one function of a compiled agent about many views; return the sum of its answers."""
    total = 0
    for row in range(len(views)):
        total += call_agent(address, views[row], params, params_count)
    return total
