"""The module in C++ is built by CMake, in the build tree of the checkout, and put into the wheel from there."""

import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build/release"


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        if not (BUILD / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", str(BUILD), "--target", "brio_python"], check=True)
        place = pathlib.Path(self.get_ext_fullpath(ext.name))
        if not (BUILD / "python/brio" / place.name).exists():
            sys.exit(f"the module is made for Debian's interpreter, not for {sys.executable}: /usr/bin/python3 -m build")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BUILD / "python/brio" / place.name, place)


version = re.search(r"project\(brio VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
setup(version=version, ext_modules=[Extension("brio._native", [])], cmdclass={"build_ext": BuildByCMake})
