"""All that the public headers of C++ declare has its counterpart in Python, or a reason why not."""

import inspect

import pytest

import brio
from brio.counterparts import ABSENT, KEYWORDS, RENAMED
from conftest import ROOT
from headers import declared, of_folder

HEADERS = of_folder(ROOT / "include/brio")
NAMES = set().union(*HEADERS.values())


def exists(path):
    thing = brio
    for word in path.split("."):
        if not hasattr(thing, word) and word not in getattr(thing, "_fields", ()) + tuple(getattr(thing, "__annotations__", ())):
            return False
        thing = getattr(thing, word, None)
    return True


def parameters(path):
    thing = brio
    for word in path.split("."):
        thing = getattr(thing, word)
    if inspect.isclass(thing):
        return set(inspect.signature(thing.__init__).parameters) | set(inspect.signature(thing).parameters)
    return set(inspect.signature(thing).parameters)


def counterpart(name):
    """In Python, or None."""
    owner, _, member = name.rpartition(".")
    top = name.split(".")[0]
    if name in RENAMED:
        return RENAMED[name]
    if top in KEYWORDS and (owner == "" or member in parameters(KEYWORDS[top]) or member + "_" in parameters(KEYWORDS[top])):
        return KEYWORDS[top]
    if exists(name):
        return name
    for word in (owner, f"{top}.*"):
        if word in RENAMED and exists(f"{RENAMED[word]}.{member}"):
            return f"{RENAMED[word]}.{member}"
    if not owner and name.startswith("make_") and exists(name.removeprefix("make_")):
        return name.removeprefix("make_")
    reason = any(".".join(name.split(".")[:k]) in ABSENT for k in (1, 2, 3))
    return None if reason else RENAMED.get(f"{top}.*") if owner else None


@pytest.mark.parametrize("header", HEADERS)
def test_every_public_name_is_there_or_has_a_reason(header):
    missing = [
        name
        for name in sorted(HEADERS[header])
        if counterpart(name) is None and not any(".".join(name.split(".")[:k]) in ABSENT for k in (1, 2, 3))
    ]
    assert missing == []


def test_what_is_said_of_counterparts_is_so():
    stale = [name for name in (*KEYWORDS, *RENAMED, *ABSENT) if name.removesuffix(".*") not in NAMES]
    assert stale == []
    assert [(name, path) for name, path in {**RENAMED, **KEYWORDS}.items() if not exists(path)] == []
    assert [name for name in ABSENT if counterpart(name) is not None] == []  # it is there, after all
    assert [name for name, reason in ABSENT.items() if len(reason) < 10] == []


def test_headers_are_read_as_a_compiler_would():
    text = """
    /// Words that (look) like code;
    namespace brio {
    namespace inner_detail { int hidden(); }
    class Later;
    enum class Kind { first, second };
    template <> struct Names<Kind> { static constexpr int names = 3; };
    struct Options {
      double a = 0, b = 1;          ///< c = 2
      std::array<int, 2> cells{1, 2};
      std::function<void(const Options&, int)> call{};
      int (*pointer)(double x, double y) = nullptr;
      struct Key { double time = 0; };
      std::vector<Key> keys{};
    };
    Options make(const Options& options = {}, int count = 3);
    class Thing final : public Base {
     public:
      explicit Thing(int size) : size_(size) { helper(size); }
      int size() const { return size_; }
      static Thing of(Options o = {.a = 1});
      Thing& operator=(const Thing&) = delete;
      virtual void act(int /*unused*/) const {}
      std::span<const int> values() const { return {data_, 3}; }
     protected:
      void inherited();
     private:
      int size_;
    };
    }
    """
    assert declared(text) == {
        "Kind",
        "Options",
        *(f"Options.{m}" for m in ("a", "b", "cells", "call", "pointer", "Key", "Key.time", "keys")),
        "make",
        "Thing",
        *(f"Thing.{m}" for m in ("size", "of", "act", "values")),
    }
