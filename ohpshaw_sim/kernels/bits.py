"""Bit tricks on 64-bit masks: counting, first, last and n-th set bit.

Masks are uint64, counts and positions int64. numba turns `uint64 op int64` into int64, so every constant that meets
a mask is wrapped in `U`. Shifts by 64 are undefined and never reached.

`nth_bit` uses the PDEP instruction where the processor has BMI2 and compiles for itself (Pandey et al., "A fast x86
implementation of select", 2017), else byte prefix sums and a 2 KiB table (Vigna, "Broadword implementation of
rank/select queries", 2008). Both return the same bit; `NUMBA_DISABLE_JIT=1` takes a third, plain way.
"""

from typing import Any, Final

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import types
from numba.extending import intrinsic

from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit

U: Final = np.uint64
ZERO: Final = U(0)
ONE: Final = U(1)
LANE: Final = U(0xFFFF)
ALL_BITS: Final = U(0xFFFF_FFFF_FFFF_FFFF)
SIXTEEN: Final = U(16)
SUITED: Final = U(0x7FFC_7FFC_7FFC_7FFC)
"""Ranks 2..14 of each lane."""
FREE: Final = U(0x8002_8002_8002_8002)
"""Jesters and Wizards, ranks 1 and 15: they belong to no suit (V8)."""
WIZARDS: Final = U(0x8000_8000_8000_8000)

_BYTE_ONES: Final = U(0x0101_0101_0101_0101)
_BYTE_TOPS: Final = U(0x8080_8080_8080_8080)
_PAIRS: Final = U(0x5555_5555_5555_5555)
_QUADS: Final = U(0x3333_3333_3333_3333)
_NIBBLES: Final = U(0x0F0F_0F0F_0F0F_0F0F)


def _host_has_fast_pdep() -> bool:
    """Tell whether compiled code may use PDEP: it aborts the process without BMI2 and is microcode on AMD Zen 1-2."""
    if JIT_DISABLED or numba.config.CPU_NAME or numba.config.CPU_FEATURES:
        return False
    features = binding.get_host_cpu_features()
    return bool(features.get("bmi2")) and binding.get_host_cpu_name() not in {"znver1", "znver2"}


def _unary(name: str) -> Any:
    """Make an intrinsic int64 f(uint64) from LLVM's integer intrinsic of this name, zero-safe (64)."""

    def typed(_context: Any, _value: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(args[0])
            return getattr(builder, name)(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), generate

    return intrinsic(typed)


if JIT_DISABLED:

    def popcount(mask: Any) -> int:
        """Count the set bits of a mask."""
        return int(mask).bit_count()

    def lowest_bit(mask: Any) -> int:
        """Return the position of the lowest set bit; 64 for an empty mask."""
        return (int(mask) & -int(mask)).bit_length() - 1 if mask else 64

    def highest_bit(mask: Any) -> int:
        """Return the position of the highest set bit; -1 for an empty mask."""
        return int(mask).bit_length() - 1

else:
    _ctpop, _cttz, _ctlz = _unary("ctpop"), _unary("cttz"), _unary("ctlz")

    @jit
    def popcount(mask: Any) -> int:
        """Count the set bits of a mask."""
        return _ctpop(U(mask))  # type: ignore[no-any-return]  # an intrinsic is typed by numba

    @jit
    def lowest_bit(mask: Any) -> int:
        """Return the position of the lowest set bit; 64 for an empty mask."""
        return _cttz(U(mask))  # type: ignore[no-any-return]  # an intrinsic is typed by numba

    @jit
    def highest_bit(mask: Any) -> int:
        """Return the position of the highest set bit; -1 for an empty mask."""
        return 63 - _ctlz(U(mask))  # type: ignore[no-any-return]  # an intrinsic is typed by numba


@jit
def bit(position: int) -> Any:
    """Return the mask with one set bit, at 0..63."""
    return ONE << U(position)


@jit
def lane(suit: int) -> Any:
    """Return the mask of a suit's lane; an empty mask for no suit (-1)."""
    return (LANE << (SIXTEEN * U(suit & 3))) if suit >= 0 else ZERO


def _select_table() -> Any:
    """Tabulate the position of the n-th set bit of a byte at index 256 * n + byte; 8 where there is none."""
    table = np.full(8 * 256, 8, np.uint8)
    for byte in range(256):
        positions = [position for position in range(8) if byte >> position & 1]
        for n, position in enumerate(positions):
            table[256 * n + byte] = position
    return table


_SELECT: Final = _select_table()


@jit
def nth_bit_by_table(mask: Any, n: int) -> int:
    """Return the position of set bit number `n` (0 = lowest) of a mask with more than `n` bits, on any processor."""
    sums = mask - ((mask >> ONE) & _PAIRS)
    sums = (sums & _QUADS) + ((sums >> U(2)) & _QUADS)
    sums = ((sums + (sums >> U(4))) & _NIBBLES) * _BYTE_ONES  # byte k: set bits in bytes 0..k
    # A byte keeps its top bit exactly where its prefix sum is at most n: those bytes lie below the wanted one.
    below = ((U(n) * _BYTE_ONES) | _BYTE_TOPS) - sums
    start = U(8) * U(popcount(below & _BYTE_TOPS))
    before = ((sums << U(8)) >> start) & U(0xFF)
    byte = (mask >> start) & U(0xFF)
    return np.int64(start) + np.int64(_SELECT[np.int64(((U(n) - before) << U(8)) | byte)])


if JIT_DISABLED:

    def nth_bit(mask: Any, n: int) -> int:
        """Return the position of set bit number `n` (0 = lowest) of a mask with more than `n` bits."""
        rest = int(mask)
        for _ in range(n):
            rest &= rest - 1
        return lowest_bit(rest)

elif _host_has_fast_pdep():

    @intrinsic
    def _pdep(_context: Any, _source: Any, _mask: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            function = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word])
            )
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), generate

    @jit
    def nth_bit(mask: Any, n: int) -> int:
        """Return the position of set bit number `n` (0 = lowest) of a mask with more than `n` bits."""
        return lowest_bit(_pdep(ONE << U(n), U(mask)))

else:
    nth_bit = nth_bit_by_table
