"""Writes the stubs of what mypy cannot read from sources: the module in C++, and keywords that come from field tables.

    ./brio python -m brio.stubs            beside the sources
    ./brio python -m brio.stubs --check    tells whether they are those
"""

from __future__ import annotations

import inspect
import pathlib
import re
import sys
from typing import Any

from brio import _native, keywords

HEAD = '"""Made by `./brio python -m brio.stubs`."""\n\n'

TYPES: tuple[tuple[str, Any], ...] = (
    (r"numpy\.ndarray\[numpy\.float64\]", "NDArray[np.float64]"),
    (r"numpy\.ndarray\[numpy\.int32\]", "NDArray[np.int32]"),
    (r"numpy\.ndarray\[bool\]", "NDArray[np.bool_]"),
    (r"numpy\.ndarray\b", "NDArray[Any]"),
    (r"brio::python::|brio\._native\.", ""),
    (r"\b(handle|object)\b", "Any"),
    (r"List\[List\[str\[\d\]\]\]", "Sequence[Sequence[str]]"),
    (r"\b(List|Tuple|Dict|Set)\[", lambda m: m[1].lower() + "["),
    (r"Annotated\[list\[int\], FixedSize\(\d\)\]", "Sequence[int]"),
    (r"list\[int\[\d\]\]", "Sequence[int]"),
    (r"\bint\[(\d)\]", "Sequence[int]"),
    (r"Optional\[([^\]]+)\]", r"\1 | None"),
    (r"\b(tuple|list|dict)\b(?!\[)", lambda m: {"tuple": "Any", "list": "list[Any]"}.get(m[1], "dict[str, Any]")),
)


def python_types(text: str) -> str:
    for pattern, replacement in TYPES:
        text = re.sub(pattern, replacement, text)
    return text


def native_function(name: str, doc: str, method: bool) -> str:
    """From the first line of what pybind11 says: name(self: ..., arg0: int) -> float."""
    line = python_types((doc or "").splitlines()[0] if doc else f"{name}(*args) -> Any")
    line = re.sub(r"^[^(]*", name, line)
    line = re.sub(r"\(self: [^,)]*", "(self", line)
    line = re.sub(r"arg(\d+): ", r"arg\1: ", line)
    line = re.sub(r"\*args\b", "*args: Any", line)
    line = re.sub(r"= None", "= ...", line)
    if method and not line.startswith(f"{name}(self"):
        return f"    @staticmethod\n    def {line}: ..."
    return ("    " if method else "") + f"def {line}: ..."


def native_class(cls: type) -> str:
    bases = [base.__name__ for base in cls.__bases__ if not base.__name__.startswith("pybind11")]
    lines = [
        f"class {cls.__name__}({', '.join(bases)}):" if bases and bases != ["object"] else f"class {cls.__name__}:"
    ]
    for name, member in sorted(vars(cls).items()):
        if isinstance(member, property):
            returns = (
                "Any"
                if member.fset is not None
                else python_types(re.sub(r".*-> ", "", (member.fget.__doc__ or "-> Any").strip()))
            )
            lines.append(f"    @property\n    def {name}(self) -> {returns}: ...")
            if member.fset is not None:
                lines.append(f"    @{name}.setter\n    def {name}(self, value: Any) -> None: ...")
        elif not name.startswith("_") or (name == "__init__" and (member.__doc__ or "").startswith("__init__(self")):
            lines.append(native_function(name, getattr(cls, name).__doc__ or "", True))
    return "\n".join(lines if len(lines) > 1 else [*lines, "    ..."]) + "\n"


def native_stub() -> str:
    text = (
        HEAD
        + "from collections.abc import Sequence\nfrom typing import Any\n\nimport numpy as np\nfrom numpy.typing import NDArray\n\n"
    )
    text += "__version__: str\n\n"
    members = [(name, thing) for name, thing in sorted(vars(_native).items()) if not name.startswith("__")]
    for name, thing in members:
        if inspect.isclass(thing):
            text += native_class(thing) + "\n"
    for name, thing in members:
        if not inspect.isclass(thing) and callable(thing):
            text += native_function(name, thing.__doc__ or "", False) + "\n"
    return text


def keyword_function(name: str, function: Any, indent: str = "") -> str:
    annotations = {field.keyword: field.annotation for field in function.__fields__}
    parts, starred = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        if parameter.name == "self":
            parts.append("self")
            continue
        annotation = annotations.get(parameter.name) or KNOWN[parameter.name]
        parts.append(f"{parameter.name}: {annotation}" + ("" if parameter.default is parameter.empty else " = ..."))
    lines = ",\n".join(f"{indent}    {part}" for part in parts)
    return f"{indent}def {name}(\n{lines},\n{indent}) -> {function.__returns__}: ...\n"


#: Parameters that are no fields.
KNOWN = {
    "mesh": "Mesh",
    "body": "Body",
    "model": "Model",
    "integrator": "str",
    "h": "float",
    "solver": "Mapping[str, Any] | None",
    "x": "ArrayLike | None",
    "v": "ArrayLike | None",
    "time": "float",
}


def keywords_stub() -> str:
    text = (
        HEAD
        + "from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal\n\n"
        + "from numpy.typing import ArrayLike\n\nfrom brio.fields import Field\nfrom brio.meshes import Mesh\n"
        + "from brio.model import Body, Model\n\n_Vector = ArrayLike\n\n"
    )
    for name in ("TABLES", "COMMON", "MATERIAL", "MOTION", "INTEGRATOR"):
        text += f"{name}: list[Field]\n"
    for name, thing in vars(keywords).items():
        if inspect.isclass(thing) and thing.__module__ == keywords.__name__:
            text += f"\nclass {name}:\n"
            for method, function in vars(thing).items():
                if hasattr(function, "__fields__"):
                    own = keyword_function(method, function, "    ")
                    text += own.replace("h: float = ...", "h: float | None = ...") if method == "use" else own
        elif hasattr(thing, "__fields__"):
            text += "\n" + keyword_function(name, thing)
    return text


def main() -> int:
    here = pathlib.Path(keywords.__file__).resolve().parent
    for name, text in (("_native.pyi", native_stub()), ("keywords.pyi", keywords_stub())):
        file = here / name
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            print(f"{name} is not what the tables say: run ./brio python -m brio.stubs", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
