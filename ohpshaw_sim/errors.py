"""The errors this package raises on purpose: one sentence each, saying what, where and how to mend it.

`MalformedError`    the text or data cannot be read at all ("1Z" is no card).
`IllegalError`      it reads well, but the rules forbid it (a bid of 6 in a five-card round).
`ConflictError`     two things that were asked for exclude each other (another spec in this run folder).
`FileError`         a file that was asked for cannot be read (there is none, or no permission).
`ClusterError`      workers elsewhere cannot be reached, do not fit or were lost (a scheduler that ended).
`AgentError`        an agent could not be found, built or trusted with a seat.
"""


class OhPshawError(Exception):
    """Base of every error this package raises on purpose; `str(error)` is one sentence for a person."""


class MalformedError(OhPshawError):
    """Something could not be read."""


class IllegalError(OhPshawError):
    """Something reads well but the rules forbid it."""


class ConflictError(OhPshawError):
    """Two requests exclude each other."""


class FileError(OhPshawError):
    """A file that was asked for cannot be read."""


class ClusterError(OhPshawError):
    """Workers on other machines, or what hands out work to them, cannot be reached, do not fit or were lost."""


class AgentError(OhPshawError):
    """An agent could not be found or built, or answered what no agent may answer."""
