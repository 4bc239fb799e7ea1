"""whet for Python: models are verified by the shared library, and results are plain objects.

    >>> import whet
    >>> run = whet.verify("var x : 0..9 = 0\\naction up: x < 5 -> x := x + 1\\nsafe small: x <= 3\\n")
    >>> run["small"].verdict
    'UNSAFE'
    >>> [state["x"] for state in run["small"].states]
    [0, 1, 2, 3, 4]

The library is libwhet.so.0, or what the environment variable WHET_LIBRARY names. Work is done in child processes with limits; a run does not
keep other threads of Python waiting, and Ctrl-C ends it: what is not decided then is UNKNOWN (interrupted).
"""
from ._library import Error, version
from ._model import Model, Result, Results, check, format_text, outline, verify

__all__ = ["Error", "Model", "Result", "Results", "check", "format_text", "outline", "verify", "version"]
