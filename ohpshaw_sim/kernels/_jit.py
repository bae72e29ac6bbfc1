"""The one place that calls the JIT.

`nogil=True`   a tournament plays in a thread pool; the kernels touch no Python object.
`cache=True`   a process starts playing in tenths of a second instead of compiling for several.
`error_model`  left at "python": "numpy" was measured slower on the integer divisions used here.
`fastmath`     left off: every result must be the same bytes on every machine.

numba's disk cache notices an edit of the file that a function stands in, but not of another file whose code was
inlined into it. So each function's cache entry is stamped with all sources of this package that are compiled, with
the sources beside the function itself (an agent's helpers) and with the bounds-check flag, which numba leaves out of
its key.
"""

import functools
import hashlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

JIT_DISABLED: Final[bool] = bool(numba.config.DISABLE_JIT)
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_COMPILED: Final = ("*.py", "kernels/*.py", "interface/*.py", "engine/*.py")
"""Sources, below the package, that compiled code may come from."""


def jit(function: Function) -> Function:
    """Compile a function lazily, without the GIL and with a disk cache that never serves stale code.

    Under `NUMBA_DISABLE_JIT=1` the function is returned as it is.
    """
    return _compiled(function, inline=False)


def jit_inline(function: Function) -> Function:
    """Compile a function as `jit` does, into the body of each compiled function that calls it.

    For small functions of a hot loop that take arrays: numba passes each array as seven and more values, and a call
    can cost more than what it does.
    """
    return _compiled(function, inline=True)


def _compiled(function: Function, *, inline: bool) -> Function:
    if JIT_DISABLED:
        return function
    try:
        compiled = numba.njit(nogil=True, cache=True, forceinline=inline)(function)
        stamp_cache(compiled)
    except RuntimeError:  # no source file to cache beside: typed at a prompt, or built by exec
        compiled = numba.njit(nogil=True, forceinline=inline)(function)
    return compiled  # type: ignore[no-any-return]  # numba's dispatcher answers the same calls


def stamp_cache(dispatcher: Any) -> None:
    """Tie a cached dispatcher's entries to all the sources that may have been inlined into it."""
    cache_file = dispatcher._cache._cache_file
    own_folder = Path(inspect.getfile(dispatcher.py_func)).resolve().parent
    cache_file._source_stamp = (
        cache_file._source_stamp,
        _sources_hash(_PACKAGE, _COMPILED),
        _sources_hash(own_folder, ("*.py",)),
        bool(numba.config.BOUNDSCHECK),
    )


@functools.cache
def _sources_hash(folder: Path, patterns: tuple[str, ...]) -> str:
    """Return a digest of the names and contents of the sources below a folder."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
