"""Cython modules of the benches, compiled when they are first needed; what comes of it lies in build/bench."""
import fcntl
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from railwright import cext

HOME = Path(__file__).resolve().parent
BUILD = HOME.parent / "build" / "bench"
DIRECTIVES = {"language_level": "3", "boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}


def pxd_view() -> Path:
    """A folder in which Cython finds `railwright/cext/x.pxd`, of the core that is installed."""
    view = BUILD / "pxd" / "railwright"
    view.mkdir(parents=True, exist_ok=True)
    link, core = view / "cext", Path(cext.__path__[0]).resolve()
    if link.is_symlink() and link.resolve() != core:
        link.unlink()
    if not link.is_symlink():
        link.symlink_to(core, target_is_directory=True)
    return view.parent


def build(name: str) -> Path:
    """Compiles bench/<name>.pyx, unless that has been done; the file to load."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext
    module = Extension(name, [str(HOME / f"{name}.pyx")], extra_compile_args=["-O3", "-fno-math-errno"])
    sources = cythonize([module], build_dir=str(BUILD / "c"), include_path=[str(pxd_view())], compiler_directives=DIRECTIVES, quiet=True)
    command = build_ext(Distribution({"ext_modules": sources}))
    command.build_lib, command.build_temp = str(BUILD), str(BUILD / "temp")
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(name))


def load(name: str) -> ModuleType:
    """The module bench/<name>.pyx."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:        # two processes may want it at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = build(name)
    spec = importlib.util.spec_from_file_location(name, built)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
