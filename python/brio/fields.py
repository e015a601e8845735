"""Keywords from the field tables of the engine: names, defaults, units, bounds and sentences are typed nowhere else."""

from __future__ import annotations

import inspect
import json
import keyword
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from brio import _native

Function = TypeVar("Function", bound=Callable[..., Any])


class Field(NamedTuple):
    """A key that a function takes."""

    name: str
    type: str
    unit: str
    bound: str
    default: Any  # None: nothing holds when it is not given, or what the help says
    help: str

    @property
    def keyword(self) -> str:
        """As Python can write it: ``from_`` for ``from``."""
        return self.name + "_" if keyword.iskeyword(self.name) else self.name

    @property
    def annotation(self) -> str:
        """Its type, as stubs write it."""
        choices = self.bound.removeprefix("one of ").split(", ") if self.bound.startswith("one of ") else []
        known = {
            "number": "float",
            "whole number": "int",
            "true or false": "bool",
            "vector": "_Vector",
            "list of numbers": "Sequence[float]",
            "list of whole numbers": "Sequence[int]",
            "list of texts": "Sequence[str]",
            "text": f"Literal[{', '.join(map(repr, choices))}]" if choices else "str",
        }
        name = known.get(self.type, "Any")
        return name if self.default is not None or name == "Any" else f"{name} | None"

    @property
    def line(self) -> str:
        """For a docstring."""
        facts = ", ".join(filter(None, [f"[{self.unit}]" if self.unit else "", self.bound]))
        return f"{self.keyword}: {self.help}" + (f" ({facts})" if facts else "")


def whole(value: Any, kind: str) -> Any:
    """Lists of whole numbers come as numbers."""
    if kind == "list of whole numbers" and value is not None:
        return tuple(int(item) for item in value)
    return tuple(value) if isinstance(value, list) else value


def fields_of(*prefixes: str, but: tuple[str, ...] = ()) -> list[Field]:
    """The keys of scene files right below these paths."""
    found: dict[str, Field] = {}
    for prefix in prefixes:
        for key in _native.scene_key_facts():
            path: str = key["path"]
            name = path.removeprefix(prefix + ".").removesuffix("[]")
            if not path.startswith(prefix + ".") or not name.isidentifier() or name in but:
                continue
            default = json.loads(key["default"]) if key["default"] else None
            found[name] = Field(name, key["type"], key["unit"], key["bound"], whole(default, key["type"]), key["help"])
    return list(found.values())


def with_keywords(sentence: str, fields: list[Field], returns: str = "") -> Callable[[Function], Function]:
    """A function that takes ``**keys`` shows, and documents, the keywords that it understands."""

    def decorate(function: Function) -> Function:
        plain = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
        taken = {p.name for p in plain}
        words = [
            inspect.Parameter(f.keyword, inspect.Parameter.KEYWORD_ONLY, default=f.default)
            for f in fields
            if f.keyword not in taken
        ]
        function.__signature__ = inspect.Signature(plain + words)  # type: ignore[attr-defined]
        lines = [textwrap.fill(f.line, 100, initial_indent="    ", subsequent_indent="        ") for f in fields]
        function.__doc__ = sentence + ("\n\nKeywords:\n" + "\n".join(lines) if lines else "") + "\n"
        function.__fields__ = fields  # type: ignore[attr-defined]
        function.__returns__ = returns  # type: ignore[attr-defined]
        return function

    return decorate


def keys_of(words: Mapping[str, Any]) -> dict[str, Any]:
    """Back to the names of the tables."""
    return {word[:-1] if word.endswith("_") else word: value for word, value in words.items()}
