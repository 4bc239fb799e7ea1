"""Models, runs and their results."""
from __future__ import annotations

import ctypes
import json
import os
import threading
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import _library as c
from ._library import Error

OptionValue = Union[bool, int, float, str, Sequence[str]]
_VERDICTS = ("UNKNOWN", "SAFE", "UNSAFE", "HOLDS", "FAILS")


class _Options:
    """whet_options of keyword arguments: `max_iterations=3` is `--max-iterations 3`, True is an option without argument."""

    def __init__(self, given: Mapping[str, OptionValue]):
        self.pointer = c.options_new()
        try:
            for name, value in given.items():
                for one in value if isinstance(value, (list, tuple)) else [value]:
                    self._set(name.replace("_", "-"), one)
        except BaseException:
            self.close()
            raise

    def _set(self, name: str, value: Any) -> None:
        if value is False or value is None:
            return
        text = None if value is True else str(value).encode()
        wrong = c.taken(c.options_set(self.pointer, name.encode(), text))
        if wrong:
            raise Error(wrong)

    def close(self) -> None:
        c.options_free(self.pointer)
        self.pointer = None

    def __enter__(self) -> "_Options":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


@dataclass(frozen=True)
class Result:
    """What was found out about one property."""

    property: str
    verdict: str  # SAFE, UNSAFE, HOLDS, FAILS or UNKNOWN
    reason: str  # of UNKNOWN, else ""
    engine: str
    seconds: float
    trace: Optional[str]  # the run that breaks the property, a line a step
    states: List[Dict[str, Any]]  # of that run: the values of the variables
    actions: List[str]  # of that run: what was done before each state but the first
    loop: Optional[int]  # the state that the run comes back to
    invariant: List[str]  # formulas that prove the property, all together; [] if there are none
    certificate: Optional[str]  # for check
    vacuous: bool  # it holds and says nothing
    json: Dict[str, Any] = field(repr=False)  # everything, as docs/json.md has it

    @property
    def holds(self) -> Optional[bool]:
        """True, False, or None if it is not decided."""
        return None if self.verdict == "UNKNOWN" else self.verdict in ("SAFE", "HOLDS")

    def __bool__(self) -> bool:
        return self.holds is True


class Results(Mapping[str, Result]):
    """Results by the names of properties, in the order of the model. If there is only one, its fields are those of the results too:
    `whet.verify(text).trace`."""

    def __init__(self, results: List[Result], report: str):
        self._results = {r.property: r for r in results}
        self.report = report  # a page of HTML that needs nothing else

    def __getitem__(self, property: str) -> Result:
        return self._results[property]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __getattr__(self, name: str) -> Any:
        if name != "holds" and name not in Result.__dataclass_fields__:
            raise AttributeError(name)
        if len(self._results) != 1:
            raise AttributeError(f"there are {len(self._results)} properties: results[NAME].{name}")
        return getattr(next(iter(self._results.values())), name)

    @property
    def all_hold(self) -> bool:
        return all(r.holds for r in self._results.values())

    def __repr__(self) -> str:
        return "\n".join(f"{r.property}: {r.verdict}" + (f" ({r.reason})" if r.reason else "") for r in self._results.values())

    def _repr_html_(self) -> str:
        """For notebooks."""
        from html import escape

        rows = (f"<tr><td>{escape(r.property)}</td><td>{r.verdict} {escape(r.reason)}</td><td>{escape(r.engine)}</td><td>{r.seconds:.3g} s</td>"
                f"<td><pre>{escape(r.trace or '')}</pre></td></tr>" for r in self._results.values())
        return "<table><tr><th>property</th><th>verdict</th><th>engine</th><th>time</th><th>run</th></tr>" + "".join(rows) + "</table>"


class Model:
    """A model that was read. It can be used by several threads; `close`, or the end of a `with`, frees it."""

    def __init__(self, text: str, path: str = "model.whet"):
        """`path` says in which language the text is, by its ending, and stands in messages."""
        content, error = text.encode(), ctypes.c_void_p()
        self._pointer: Optional[int] = c.or_error(c.model_read_text(path.encode(), content, len(content), ctypes.byref(error)), error)

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"], **options: OptionValue) -> "Model":
        """From a file; options about C programs and constants count: define=["N=5"]."""
        made, error = cls.__new__(cls), ctypes.c_void_p()
        made._pointer = None
        with _Options(options) as o:
            made._pointer = c.or_error(c.model_read_for(os.fsencode(path), o.pointer, ctypes.byref(error)), error)
        return made

    def _open(self) -> int:
        if not self._pointer:
            raise Error("the model was closed")
        return self._pointer

    @property
    def properties(self) -> List[str]:
        m = self._open()
        return [c.model_property_name(m, i).decode() for i in range(c.model_property_count(m))]

    def show(self) -> str:
        """The model as whet understood it."""
        if not c.model_has_system(self._open()):
            raise Error("this model is no transition system that could be shown")
        return c.taken(c.model_show(self._open())) or ""

    def verify(self, *properties: str, timeout: float = 0, **options: OptionValue) -> Results:
        """Decides all properties, or those that are named. Options are those of `whet verify`."""
        given: Dict[str, OptionValue] = {"verbose": True, **options}
        if timeout:
            given["timeout"] = timeout
        if properties:
            given["property"] = list(properties)
        error = ctypes.c_void_p()
        with _Options(given) as o:
            run = c.or_error(c.run_new(self._open(), o.pointer, ctypes.byref(error)), error)
            try:
                _decide(run)
                return _collect(run)
            finally:
                c.run_free(run)

    def check(self, certificate: str, **options: OptionValue) -> bool:
        """Whether the certificate is accepted for this model. Error if it is none, or if the solver cannot decide it."""
        content = certificate.encode()
        with _Options(options) as o:
            made = c.check_new(self._open(), content, len(content), o.pointer)
            try:
                answer, what = c.check_answer(made), c.check_what(made).decode()
            finally:
                c.check_free(made)
        if answer not in (1, 2):
            raise Error(what)
        return answer == 1

    def close(self) -> None:
        if self._pointer:
            c.model_free(self._pointer)
        self._pointer = None

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            self.close()


def _decide(run: int) -> None:
    """The run works in a thread, so that Ctrl-C reaches Python; the run is then asked to end, and its thread waited for."""

    def work() -> None:
        while c.run_next(run):
            pass

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        try:
            thread.join()
        except KeyboardInterrupt:
            c.run_interrupt(run)


def _collect(run: int) -> Results:
    found = json.loads(c.taken(c.run_json(run)) or "{}")["properties"]
    results = []
    for i, one in enumerate(found):
        r = c.run_result(run, i)
        steps = one.get("trace", [])
        certificate = c.result_certificate(r)
        results.append(Result(
            property=one["name"], verdict=_VERDICTS[c.result_verdict(r)], reason=one.get("reason", ""), engine=one.get("engine", ""),
            seconds=one.get("seconds", 0.0), trace=c.taken(c.result_trace(r, False, False)), states=[s.get("state", {}) for s in steps],
            actions=[s.get("action", "") for s in steps[1:]], loop=one.get("loop"), invariant=one.get("invariant", []),
            certificate=certificate.decode() if certificate else None, vacuous=one.get("vacuous", False), json=one))
    return Results(results, c.taken(c.run_report(run)) or "")


def verify(text: str, *properties: str, path: str = "model.whet", timeout: float = 0, **options: OptionValue) -> Results:
    """Reads the text and decides its properties, or those that are named, within `timeout` seconds (0: no limit)."""
    with Model(text, path) as m:
        return m.verify(*properties, timeout=timeout, **options)


def check(text: str, certificate: str, *, path: str = "model.whet", **options: OptionValue) -> bool:
    """Whether the certificate is accepted for the model; see Model.check."""
    with Model(text, path) as m:
        return m.check(certificate, **options)


def _made(function: Any, text: str) -> str:
    content, error = text.encode(), ctypes.c_void_p()
    pointer = c.or_error(function(b"-", content, len(content), ctypes.byref(error)), error)
    return c.taken(pointer) or ""


def outline(text: str) -> Dict[str, Any]:
    """Errors, names and properties of a text in whet's language: docs/editors.md."""
    result: Dict[str, Any] = json.loads(_made(c.outline, text))
    return result


def format_text(text: str) -> str:
    """The text, in whet's language, laid out."""
    return _made(c.format_text, text)
