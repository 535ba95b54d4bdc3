"""Builds the Cython core. Everything else about the package stands in pyproject.toml."""
import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOMS = ("engine", "ai", "cext", "cli")


def packages() -> dict[str, str]:
    """Every package of the project with its folder: `./engine` is `railwright.engine`, and so on below."""
    found = {}
    for room in ROOMS:
        for init in sorted(Path(room).rglob("__init__.py")):
            found["railwright." + ".".join(init.parent.parts)] = str(init.parent)
    return found


def pxd_view() -> str:
    """A folder in which Cython finds `railwright/cext/x.pxd`."""
    view = Path("build/pxd/railwright")
    view.mkdir(parents=True, exist_ok=True)
    link = view / "cext"
    if not link.is_symlink():
        link.symlink_to(Path("../../../cext"), target_is_directory=True)
    return str(view.parent)


def extensions() -> list[Extension]:
    compile_args, link_args = ["-O3", "-fno-math-errno", "-Wno-unreachable-code"], []
    if os.environ.get("RAILWRIGHT_SANITIZE"):       # not null: a field's offset is its address in a state at 0; ASan sees real ones
        compile_args = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize=null",
                        "-fno-sanitize-recover=undefined"]
        link_args = ["-fsanitize=address,undefined"]
    modules = [
        Extension(f"railwright.cext.{path.stem}", [str(path)], extra_compile_args=compile_args, extra_link_args=link_args)
        for path in sorted(Path("cext").glob("*.pyx"))
    ]
    directives = {
        "language_level": "3", "boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False,
        "embedsignature": True,
    }
    return cythonize(modules, build_dir="build/c", include_path=[pxd_view()], compiler_directives=directives,
                     annotate=bool(os.environ.get("RAILWRIGHT_ANNOTATE")))


setup(packages=list(packages()), package_dir=packages(), ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count() or 1}})
