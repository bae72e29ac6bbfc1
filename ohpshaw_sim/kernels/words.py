"""Many 64-bit words side by side, for compiled code that does the same to each: `Words`, and what works on them.

    words = words_at(array, row)        the row of a uint64 array of shape (rows, WIDE), one word per world
    words & mask, words << words, ...   word by word; a plain uint64 stands for a row of equal words
    keep_words(array, row, words)       writes a row

A condition is a word too: all bits set for yes, none for no. So are the functions below written once and serve a
single mask (uint64) as well: what decides one card then decides sixteen, in the processor's vector registers and
without a branch. numba has no such type; this is LLVM's vector type under numba's names, and a processor without wide
registers gets the same results from narrower ones. Under `NUMBA_DISABLE_JIT=1` rows are numpy arrays.
"""

import operator
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import ALL_BITS, ONE, ZERO, U, highest_bit, lowest_bit

WIDE: Final = 16
"""Words in a row: twice what the widest registers hold was measured faster than once, as steps can overlap."""

if JIT_DISABLED:

    def words_at(array: Any, row: int) -> Any:
        """Read a row of a uint64 array of shape (rows, WIDE)."""
        return array[row].copy()

    def keep_words(array: Any, row: int, words: Any) -> None:
        """Write a row of a uint64 array of shape (rows, WIDE)."""
        array[row] = words

    def same_words(word: Any) -> Any:
        """Return a row of equal words."""
        return np.full(WIDE, word, np.uint64)

    def _each(function: Any, words: Any) -> Any:
        """Apply a function of one mask to a mask or to each of a row."""
        return (
            U(function(words))
            if np.ndim(words) == 0
            else np.array([function(word) for word in words], np.uint64)
        )

    def highest(words: Any) -> Any:
        """Return the position of the highest set bit of words that are not empty, as uint64."""
        return _each(highest_bit, words)

    def lowest(words: Any) -> Any:
        """Return the position of the lowest set bit of words that are not empty, as uint64."""
        return _each(lowest_bit, words)

    def flag(words: Any) -> Any:
        """Return a condition: whether the lowest bit is set."""
        return (words & ONE) * ALL_BITS

    def empty(words: Any) -> Any:
        """Return a condition: whether no bit is set."""
        return (words == ZERO) * ALL_BITS

    def exceeds(words: Any, others: Any) -> Any:
        """Return a condition: whether a word is the larger one, as a whole number."""
        return (words > others) * ALL_BITS

    def pick(condition: Any, words: Any, others: Any) -> Any:
        """Return words where the condition holds, else the others."""
        return (words & condition) | (others & ~condition)

else:
    _WORD: Final = ir.IntType(64)
    _VECTOR: Final = ir.VectorType(_WORD, WIDE)

    class WordsType(types.Type):  # type: ignore[misc]  # numba is untyped
        """numba's type of a row of WIDE words."""

        def __init__(self) -> None:
            super().__init__(name=f"Words{WIDE}")

    WORDS: Final = WordsType()
    _KINDS: Final = (WORDS, types.uint64)

    @register_model(WordsType)
    class _WordsModel(models.PrimitiveModel):  # type: ignore[misc]  # numba is untyped
        """A row is one value of LLVM's vector type."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, _VECTOR)

    def _spread(builder: Any, word: Any) -> Any:
        """Repeat a word along a vector."""
        start = builder.insert_element(
            ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0)
        )
        places = ir.Constant(ir.VectorType(ir.IntType(32), WIDE), [0] * WIDE)
        return builder.shuffle_vector(start, ir.Constant(_VECTOR, ir.Undefined), places)

    def _alike(builder: Any, kinds: Any, values: Any) -> list[Any]:
        """Return values as vectors if one of them is a vector, else as they are."""
        wide = WORDS in kinds
        pairs = zip(kinds, values, strict=True)
        return [_spread(builder, value) if wide and kind != WORDS else value for kind, value in pairs]

    def _constant(value: Any, number: int) -> Any:
        """Return a number as a constant of a value's type."""
        return ir.Constant(value.type, [number] * WIDE if value.type == _VECTOR else number)

    def _operator(symbol: Any, name: str) -> None:
        """Give rows a binary operator of Python's: LLVM's instruction of this name."""

        @infer_global(symbol)
        class _Typed(AbstractTemplate):  # type: ignore[misc]  # numba is untyped
            def generic(self, args: Any, _keywords: Any) -> Any:
                known = len(args) == 2 and WORDS in args and all(kind in _KINDS for kind in args)
                return signature(WORDS, *args) if known else None

        def generate(_context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return getattr(builder, name)(*_alike(builder, sig.args, args))

        for pair in ((WORDS, WORDS), (WORDS, types.uint64), (types.uint64, WORDS)):
            lower_builtin(symbol, *pair)(generate)

    for _symbol, _name in (
        (operator.and_, "and_"),
        (operator.or_, "or_"),
        (operator.xor, "xor"),
        (operator.add, "add"),
        (operator.sub, "sub"),
        (operator.lshift, "shl"),
        (operator.rshift, "lshr"),
    ):
        _operator(_symbol, _name)

    @infer_global(operator.invert)
    class _Inverted(AbstractTemplate):  # type: ignore[misc]  # numba is untyped
        def generic(self, args: Any, _keywords: Any) -> Any:
            return signature(WORDS, WORDS) if args == (WORDS,) else None

    @lower_builtin(operator.invert, WORDS)
    def _invert(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.not_(args[0])

    def _row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        """Return the address of a row as a vector's."""
        array = context.make_array(sig.args[0])(context, builder, args[0])
        start = builder.mul(args[1], ir.Constant(_WORD, WIDE))
        return builder.bitcast(builder.gep(array.data, [start]), _VECTOR.as_pointer())

    @intrinsic
    def words_at(_context: Any, array: Any, _row_number: Any) -> Any:
        """Read a row of a uint64 array of shape (rows, WIDE)."""

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = builder.load(_row(context, builder, sig, args))
            value.align = 8
            return value

        return WORDS(array, types.uint64), generate

    @intrinsic
    def keep_words(_context: Any, array: Any, _row_number: Any, _words: Any) -> Any:
        """Write a row of a uint64 array of shape (rows, WIDE)."""

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            builder.store(args[2], _row(context, builder, sig, args)).align = 8
            return context.get_dummy_value()

        return types.void(array, types.uint64, WORDS), generate

    @intrinsic
    def same_words(_context: Any, _word: Any) -> Any:
        """Return a row of equal words."""

        def generate(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return _spread(builder, args[0])

        return WORDS(types.uint64), generate

    def _zeros(name: str) -> Any:
        """Make an intrinsic from LLVM's count of the zeros at one end."""

        def typed(_context: Any, kind: Any) -> Any:
            def generate(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
                value, boolean = args[0], ir.IntType(1)
                suffix = f"v{WIDE}i64" if kind == WORDS else "i64"
                function_type = ir.FunctionType(value.type, [value.type, boolean])
                function = cgutils.get_or_insert_function(
                    builder.module, function_type, f"llvm.{name}.{suffix}"
                )
                count = builder.call(function, [value, ir.Constant(boolean, 1)])
                return count if name == "cttz" else builder.sub(_constant(value, 63), count)

            return kind(kind), generate

        return typed

    highest = intrinsic(_zeros("ctlz"))
    lowest = intrinsic(_zeros("cttz"))

    @intrinsic
    def flag(_context: Any, kind: Any) -> Any:
        """Return a condition: whether the lowest bit is set."""

        def generate(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return builder.neg(builder.and_(args[0], _constant(args[0], 1)))

        return kind(kind), generate

    @intrinsic
    def empty(_context: Any, kind: Any) -> Any:
        """Return a condition: whether no bit is set."""

        def generate(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return builder.sext(builder.icmp_unsigned("==", args[0], _constant(args[0], 0)), args[0].type)

        return kind(kind), generate

    @intrinsic
    def exceeds(_context: Any, kind: Any, other: Any) -> Any:
        """Return a condition: whether a word is the larger one, as a whole number."""
        result = WORDS if WORDS in {kind, other} else types.uint64

        def generate(_context: Any, builder: Any, sig: Any, args: Any) -> Any:
            left, right = _alike(builder, sig.args, args)
            return builder.sext(builder.icmp_unsigned(">", left, right), left.type)

        return result(kind, other), generate

    @intrinsic
    def pick(_context: Any, condition: Any, kind: Any, other: Any) -> Any:
        """Return words where the condition holds, else the others."""
        result = WORDS if WORDS in {condition, kind, other} else types.uint64

        def generate(_context: Any, builder: Any, sig: Any, args: Any) -> Any:
            chosen, left, right = _alike(builder, sig.args, args)
            return builder.select(builder.icmp_signed("<", chosen, _constant(chosen, 0)), left, right)

        return result(condition, kind, other), generate
