"""Randomness as a pure function of counters: no state is kept, so no order of work can change a number.

Two roots are drawn one-way from the seed, one for cards and one for agents, so that no agent can work back from its
own random word to the deal:

    cards        key = root_cards, set, round                       -> `stream_word(key, 0), stream_word(key, 1), ...`
    an agent     key = root_agents, set, rotation, arm, seat, round -> `stream_word(key, decision)`

`fold` and `stream_word` use the finaliser of SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
generators", 2014). Draws below n share one word: the high half of word * n is the draw, the low half is the rest
(Brackett-Rozinsky & Lemire, "Batched ranged random integer generation", 2024); `take` documents the bias.

Called from Python, words are to be wrapped in `U(...)`: plain ints of 2**63 and more raise OverflowError.
"""

import hashlib
from typing import Any, Final

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import U

_GOLDEN: Final = U(0x9E37_79B9_7F4A_7C15)
_FIRST: Final = U(0xBF58_476D_1CE4_E5B9)
_SECOND: Final = U(0x94D0_49BB_1331_11EB)
_WORD: Final = (1 << 64) - 1


def root(seed: int, purpose: str) -> Any:
    """Return the uint64 root of one purpose ("cards", "agents", ...) under a seed (any int >= 0), by a one-way hash."""
    text = f"ohpshaw_sim/{purpose}/{int(seed)}"
    return U(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little"))


if JIT_DISABLED:

    def mix(word: Any) -> Any:
        """Scramble a word: SplitMix64's finaliser, a bijection on 64 bits."""
        value = int(word)
        value = (value ^ (value >> 30)) * int(_FIRST) & _WORD
        value = (value ^ (value >> 27)) * int(_SECOND) & _WORD
        return U(value ^ (value >> 31))

    def stream_word(key: Any, counter: int) -> Any:
        """Return word number `counter` (0, 1, ...) of the stream that a key names."""
        return mix(U((int(key) + (int(counter) + 1) * int(_GOLDEN)) & _WORD))

    def times(word: Any, n: int) -> tuple[int, Any]:
        """Return the high half (int) and the low half (uint64) of the 128-bit product word * n."""
        product = int(word) * int(n)
        return product >> 64, U(product & _WORD)

else:

    @jit
    def mix(word: Any) -> Any:
        """Scramble a word: SplitMix64's finaliser, a bijection on 64 bits."""
        word = U(word)
        word = (word ^ (word >> U(30))) * _FIRST
        word = (word ^ (word >> U(27))) * _SECOND
        return word ^ (word >> U(31))

    @jit
    def stream_word(key: Any, counter: int) -> Any:
        """Return word number `counter` (0, 1, ...) of the stream that a key names."""
        return mix(U(key) + U(counter + 1) * _GOLDEN)

    @intrinsic
    def _wide_product(_context: Any, _word: Any, _n: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            wide, narrow = ir.IntType(128), ir.IntType(64)
            product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
            high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), narrow)
            pair = ir.Constant(ir.LiteralStructType([narrow, narrow]), ir.Undefined)
            pair = builder.insert_value(pair, high, 0)
            return builder.insert_value(pair, builder.trunc(product, narrow), 1)

        result = types.Tuple((types.int64, types.uint64))
        return result(types.uint64, types.uint64), generate

    @jit
    def times(word: Any, n: int) -> tuple[int, Any]:
        """Return the high half (int) and the low half (uint64) of the 128-bit product word * n."""
        return _wide_product(U(word), U(n))  # type: ignore[no-any-return]  # an intrinsic is typed by numba


@jit
def fold(key: Any, value: int) -> Any:
    """Return the key one level down: of `key` and one more counter (an int >= 0)."""
    return mix(stream_word(key, value) ^ _GOLDEN)


@jit
def take(word: Any, n: int) -> tuple[int, Any]:
    """Draw below `n` from a uniform word; return the draw (int, 0..n-1) and the word for the next draw.

    After draws below n1, n2, ... from one word, no outcome's chance is off by more than n1 * n2 * ... / 2**64 of
    itself: five draws below 60 stay under 5e-11.
    """
    return times(word, n)


@jit
def below(word: Any, n: int) -> int:
    """Draw below `n` from a uniform word that serves this one draw."""
    return times(word, n)[0]
