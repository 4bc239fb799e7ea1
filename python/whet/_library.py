"""The functions of whet/whet.h that the module uses, by ctypes."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Optional


class Error(Exception):
    """A model that cannot be read, an option that is wrong, a file that is not there; the text is whet's message."""


def _open() -> ctypes.CDLL:
    path = os.environ.get("WHET_LIBRARY", "libwhet.so.0")
    try:
        return ctypes.CDLL(path)
    except OSError as why:
        raise ImportError(f"whet: the library {path} cannot be opened ({why}); WHET_LIBRARY says where it is") from None


_library = _open()
_POINTER, _TEXT, _SIZE, _INT, _BOOL = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_bool
_ERROR = ctypes.POINTER(ctypes.c_void_p)


def _function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    function = getattr(_library, name)
    function.restype, function.argtypes = result, list(arguments)
    return function


free = _function("whet_free", None, _POINTER)
_version = _function("whet_version", _TEXT)
options_new = _function("whet_options_new", _POINTER)
options_free = _function("whet_options_free", None, _POINTER)
options_set = _function("whet_options_set", _POINTER, _POINTER, _TEXT, _TEXT)
model_read_for = _function("whet_model_read_for", _POINTER, _TEXT, _POINTER, _ERROR)
model_read_text = _function("whet_model_read_text", _POINTER, _TEXT, _TEXT, _SIZE, _ERROR)
model_free = _function("whet_model_free", None, _POINTER)
model_property_count = _function("whet_model_property_count", _SIZE, _POINTER)
model_property_name = _function("whet_model_property_name", _TEXT, _POINTER, _SIZE)
model_show = _function("whet_model_show", _POINTER, _POINTER)
model_has_system = _function("whet_model_has_system", _BOOL, _POINTER)
run_new = _function("whet_run_new", _POINTER, _POINTER, _POINTER, _ERROR)
run_free = _function("whet_run_free", None, _POINTER)
run_next = _function("whet_run_next", _POINTER, _POINTER)
run_interrupt = _function("whet_run_interrupt", None, _POINTER)
run_json = _function("whet_run_json", _POINTER, _POINTER)
run_report = _function("whet_run_report", _POINTER, _POINTER)
run_result = _function("whet_run_result", _POINTER, _POINTER, _SIZE)
run_property_count = _function("whet_run_property_count", _SIZE, _POINTER)
result_property = _function("whet_result_property", _TEXT, _POINTER)
result_verdict = _function("whet_result_verdict", _INT, _POINTER)
result_trace = _function("whet_result_trace", _POINTER, _POINTER, _BOOL, _BOOL)
result_certificate = _function("whet_result_certificate", _TEXT, _POINTER)
check_new = _function("whet_check_new", _POINTER, _POINTER, _TEXT, _SIZE, _POINTER)
check_free = _function("whet_check_free", None, _POINTER)
check_answer = _function("whet_check_answer", _INT, _POINTER)
check_what = _function("whet_check_what", _TEXT, _POINTER)
outline = _function("whet_outline", _POINTER, _TEXT, _TEXT, _SIZE, _ERROR)
format_text = _function("whet_format", _POINTER, _TEXT, _TEXT, _SIZE, _ERROR)


def taken(pointer: Optional[int]) -> Optional[str]:
    """A string that is the caller's: copied, and freed."""
    if not pointer:
        return None
    text = ctypes.string_at(pointer).decode("utf-8", "replace")
    free(pointer)
    return text


def or_error(pointer: Optional[int], error: ctypes.c_void_p) -> int:
    """The pointer; Error with the library's message if it is NULL."""
    if pointer:
        return pointer
    raise Error((taken(error.value) or "whet gives no reason").strip())


def version() -> str:
    """Of the library."""
    return _version().decode()
