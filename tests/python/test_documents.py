"""Stubs and pages are what the tables and docstrings say, mypy agrees with them, and every public name has a test."""

import doctest
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import brio
from brio import docs, stubs
from conftest import ROOT

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(brio.__file__).parent


def mypy(*arguments, tmp_path):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def test_stubs_are_those_that_are_made_from_the_tables():
    here = ROOT / "python/brio"
    assert (here / "keywords.pyi").read_text() == stubs.keywords_stub()
    assert (here / "_native.pyi").read_text() == stubs.native_stub()


def test_stubs_agree_with_the_module(tmp_path):
    config, allowed = str(HERE / "mypy.ini"), str(HERE / "stubtest_allowed.txt")
    code, said = mypy(
        "mypy.stubtest",
        "brio.keywords",
        "brio._native",
        "--concise",
        "--mypy-config-file",
        config,
        "--allowlist",
        allowed,
        tmp_path=tmp_path,
    )
    assert code == 0, said


def test_the_package_is_typed_and_so_are_programs_that_use_it(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import brio\n"
        "model = brio.Model()\n"
        "body = model.add_wire(brio.line(segments=4), radius=0.1, torsion_law='s2')\n"
        "sim = brio.Simulation(model, 'avf', h=1e-3, quadrature='simpson')\n"
        "reveal_type(sim.step().iterations)\n"
        "model.add_wire(brio.line(), radius='wide')\n"
        "model.add_wire(brio.line(), torsion_law='s3')\n"
        "brio.bar(sise=3)\n"
        "sim.use('avf', quadrature=3)\n"
    )
    config = ["--config-file", str(HERE / "mypy.ini"), "--cache-dir", str(tmp_path / "cache")]
    code, said = mypy("mypy", *config, "-p", "brio", tmp_path=tmp_path)
    assert code == 0, said
    code, said = mypy("mypy", *config, str(program), tmp_path=tmp_path)
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert [int(re.search(r":(\d+):", line)[1]) for line in errors] == [6, 7, 8, 9], said
    assert 'Revealed type is "builtins.int"' in said


def test_the_page_is_the_one_that_is_made_and_its_examples_hold(monkeypatch):
    page = (ROOT / "docs/python.md").read_text()
    assert page == docs.page(), "run ./brio python -m brio.docs > docs/python.md"
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(page, {}, "python.md", "python.md", 0)
    assert len(test.examples) > 40
    results = doctest.DocTestRunner(verbose=False).run(test)
    assert results.failed == 0


def test_the_program_in_the_readme_runs(tmp_path, monkeypatch):
    text = (ROOT / "README.md").read_text()
    program = re.search(r"```python\n(.*?)```", text, re.S)[1]
    monkeypatch.chdir(ROOT)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 51, done.stderr
    assert "0.50 s: the tip is at" in done.stdout and "measured=1.0" in done.stdout


def test_everything_public_has_a_sentence_and_a_test():
    tests = "".join(file.read_text() for file in HERE.glob("test_*.py"))
    nameless = []
    for name in brio.__all__:
        thing = getattr(brio, name)
        if name.endswith("_damping"):
            continue  # test_damping_takes_energy makes their names
        assert inspect.getdoc(thing), name
        if not re.search(rf"\b{name}\b", tests):
            nameless.append(name)
        if inspect.isclass(thing):
            for member in vars(thing):
                if not member.startswith("_") and not re.search(rf"\b{member}\b", tests):
                    nameless.append(f"{name}.{member}")
    assert nameless == []


@pytest.mark.parametrize("word", ["gravity", "add_solid", "set_contact"])
def test_units_are_in_docstrings(word):
    assert re.search(r"\[.*\]", inspect.getdoc(getattr(brio.Model, word)))
