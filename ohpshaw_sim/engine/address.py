"""Reading memory at an address: what compiled code is given as one number, so that no reference is counted for it."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ohpshaw_sim.kernels._jit import JIT_DISABLED

if JIT_DISABLED:
    import ctypes

    from ohpshaw_sim.kernels.bits import U

    def word_at(address: Any, index: int) -> Any:
        """Return a word (uint64) of the memory at an address."""
        return U(ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value)

else:

    @intrinsic
    def word_at(_context: Any, _address: Any, _index: Any) -> Any:
        """Return a word (uint64) of the memory at an address."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            words = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
            return builder.load(builder.gep(words, [args[1]]))

        return types.uint64(types.uint64, types.int64), generate
