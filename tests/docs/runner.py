# SPDX-License-Identifier: Apache-2.0
"""Runs the blocks of one page in order on a desk of its own and reports what differs from what it shows.

Pages share one process, so that numpy and scikit-learn are imported once; what a page can change for the next
one (folder, environment, options of numpy, pandas and scikit-learn, figures, modules of its own) is put back.
"""

import contextlib
import difflib
import doctest
import io
import os
import random
import shutil
import subprocess
import sys
import traceback
import types
from pathlib import Path

from support import ROOT, pkg_config

from docs.markdown import console_steps, parse, same

RUN = {"setup", "python", "pycon", "console", "sh", "bash", "cpp"}
SHOWN = {
    "text",
    "json",
    "csv",
    "tsv",
    "sql",
    "xml",
    "html",
    "toml",
    "yaml",
    "ini",
    "cmake",
    "dot",
    "diff",
    "markdown",
    "md",
    "make",
}
MOST_BYTES = 150_000
SECONDS = 900  # for one command of a page
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
# The colours of Okabe and Ito, which the colour-blind can tell apart.
MATPLOTLIBRC = """\
backend: Agg
svg.hashsalt: bough
savefig.dpi: 110
figure.dpi: 100
savefig.bbox: tight
axes.prop_cycle: cycler(c=['0072B2', 'E69F00', '009E73', 'D55E00', 'CC79A7', '56B4E9', 'F0E442', '000000'])
"""


class Failure(Exception):
    """What is wrong with a page, in words for its writer."""


def data_folder():
    """The folder of outside data."""
    return Path(os.environ.get("BOUGH_DATA") or ROOT.parent / "shared/data").resolve()


def difference(shown, printed):
    lines = difflib.unified_diff(shown, printed, "the page shows", "it printed", lineterm="", n=2)
    return "\n".join("    " + line for line in lines)


def environment(build):
    own = Path(sys.executable).parent
    return {
        **os.environ,
        "PATH": f"{build}:{own}:{os.environ['PATH']}",
        "MPLBACKEND": "Agg",
        "NO_COLOR": "1",
        "SOURCE_DATE_EPOCH": "0",
        "BOUGH_DATA": str(data_folder()),
        # `make` on a page is not a part of the make that runs the tests.
        "MAKEFLAGS": "",
        "MAKELEVEL": "0",
    }


@contextlib.contextmanager
def kept_options():
    """Puts back the options that a page may set in libraries."""
    loaded = {
        name: sys.modules[name]
        for name in ("numpy", "sklearn", "pandas", "matplotlib")
        if name in sys.modules
    }
    numpy, sklearn, pandas, matplotlib = (loaded.get(n) for n in ("numpy", "sklearn", "pandas", "matplotlib"))
    random_state = random.getstate()
    numpy_state = numpy and (numpy.get_printoptions(), numpy.random.get_state())
    sklearn_state = sklearn and sklearn.get_config()
    pandas_state = pandas and dict(flat(pandas.options.d))
    if matplotlib:
        matplotlib.rcdefaults()
        matplotlib.rc_file("matplotlibrc")
        matplotlib.use("Agg")
    try:
        yield
    finally:
        random.setstate(random_state)
        if numpy:
            numpy.set_printoptions(**numpy_state[0])
            numpy.random.set_state(numpy_state[1])
        if sklearn:
            sklearn.set_config(**sklearn_state)
        if pandas:
            now = dict(flat(pandas.options.d))
            for name in now:
                if name in pandas_state and now[name] is not pandas_state[name]:
                    pandas.set_option(name, pandas_state[name])
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")


def flat(options, prefix=""):
    for key, value in options.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


@contextlib.contextmanager
def at_desk(desk, env):
    """Works in the folder `desk` with `env`, then puts everything back."""
    before, path, environ, main = os.getcwd(), list(sys.path), dict(os.environ), sys.modules["__main__"]
    os.chdir(desk)
    sys.path.insert(0, str(desk))
    os.environ.clear()
    os.environ.update(env)
    try:
        with kept_options():
            yield
    finally:
        os.chdir(before)
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environ)
        sys.modules["__main__"] = main
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(desk)):
                del sys.modules[name]


class Run:
    """One run of one page. `installed` is called once, when the first C++ block asks for a prefix."""

    def __init__(self, page, desk, build, installed):
        self.path, self.page = page, parse(page.read_text(encoding="utf-8"))
        try:
            self.name = str(page.relative_to(ROOT))
        except ValueError:
            self.name = str(page)
        self.desk, self.build, self.installed = desk, build, installed
        self.failures = []
        self.module = types.ModuleType("__main__")

    def fail(self, line, words):
        self.failures.append(f"{self.name}:{line}: {words}")

    def all(self):
        """Runs every block; the failures, in words."""
        (self.desk / "pictures").mkdir()
        (self.desk / "matplotlibrc").write_text(MATPLOTLIBRC, encoding="utf-8")
        if any("matplotlib" in b.body or "plot" in b.body for b in self.page.blocks if b.language in RUN):
            import matplotlib.pyplot  # noqa: F401 - before the options are saved
        self.env = environment(self.build)
        with at_desk(self.desk, self.env):
            sys.modules["__main__"] = self.module
            with contextlib.suppress(Failure):
                for i, block in enumerate(self.page.blocks):
                    after = self.page.blocks[i + 1] if i + 1 < len(self.page.blocks) else None
                    shown = (
                        after.body.splitlines()
                        if after and after.language == "text" and after.follows
                        else None
                    )
                    self.block(block, shown)
            self.look_at_pictures()
        return self.failures

    def block(self, block, shown):
        language = block.language
        if block.not_run is not None:
            if len(block.not_run) < 3:
                self.fail(block.line, "`<!-- not run: -->` without a reason")
            return
        if language in SHOWN or (language.startswith("{") and "code" not in language):
            return
        if language not in RUN:
            kind = f"a block of `{language}`" if language else "a block without a language"
            known = ", ".join(sorted(RUN - {"setup"}))
            self.fail(
                block.line,
                f"{kind} is not run; name a language that is ({known}), one that is only shown "
                "(text, json, ...), or say why: <!-- not run: reason -->",
            )
            return
        if language == "console":
            self.console(block)
            return
        body = {"setup": self.python, "python": self.python, "pycon": self.pycon, "cpp": self.cpp}.get(
            language, self.shell
        )
        printed = body(block)
        if shown is not None and not same(shown, printed.splitlines()):
            self.fail(
                block.line, f"the block prints something else\n{difference(shown, printed.splitlines())}"
            )

    def broken(self, line, words):
        """A block that could not run to its end: the rest of the page hangs on it."""
        self.fail(line, words)
        raise Failure

    def python(self, block):
        out = io.StringIO()
        try:
            # Blank lines in front give errors the page's own line numbers.
            code = compile("\n" * (block.line - 1) + block.body, str(self.path), "exec")
            with contextlib.redirect_stdout(out):
                exec(code, self.module.__dict__)
        except (Exception, SystemExit) as error:
            stack = error.__traceback__.tb_next if error.__traceback__ else None
            words = "".join(traceback.format_exception(type(error), error, stack))
            self.broken(block.line, f"the block ends with an exception\n{words}{out.getvalue()}")
        return out.getvalue()

    def pycon(self, block):
        said = io.StringIO()
        parser = doctest.DocTestParser()
        test = parser.get_doctest(block.body, self.module.__dict__, self.name, self.name, block.line - 1)
        if not test.examples:
            self.fail(block.line, "a pycon block without `>>>`")
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        failed = runner.run(test, out=said.write, clear_globs=False).failed
        self.module.__dict__.update(test.globs)
        if failed:
            self.fail(block.line, said.getvalue())
        return ""

    def run(self, command, folder):
        result = subprocess.run(
            command,
            cwd=folder,
            env=dict(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
        return result.returncode, result.stdout

    def console(self, block):
        try:
            steps = console_steps(block.body, block.line)
        except ValueError as error:
            self.broken(block.line, str(error))
        for i, (command, line, shown) in enumerate(steps):
            # make works in the repository, everything else on the desk.
            in_repository = command.startswith("make ")
            if in_repository and not self.build.is_relative_to(ROOT):
                continue  # a checkout that borrows its build from another one builds nothing
            status, printed = self.run(["bash", "-c", command], ROOT if in_repository else self.desk)
            expected = block.exit_status if i == len(steps) - 1 else 0
            if status != expected:
                self.broken(line, f"$ {command}\nended with {status}, not {expected}\n{printed}")
            if shown and not same(shown, printed.splitlines()):
                self.fail(
                    line, f"$ {command}\nprints something else\n{difference(shown, printed.splitlines())}"
                )

    def shell(self, block):
        status, printed = self.run(["bash", "-ec", block.body], self.desk)
        if status != block.exit_status:
            self.broken(block.line, f"the script ended with {status}, not {block.exit_status}\n{printed}")
        return printed

    def cpp(self, block):
        source, program = self.desk / f"page_{block.line}.cpp", self.desk / f"page_{block.line}"
        source.write_text(block.body, encoding="utf-8")
        command = [
            "g++",
            "-std=c++20",
            *WARNINGS,
            str(source),
            "-o",
            str(program),
            *pkg_config(self.installed()),
        ]
        status, printed = self.run(command, self.desk)
        if status == 0:
            status, printed = self.run([str(program)], self.desk)
        if status != block.exit_status:
            self.broken(block.line, f"the program ended with {status}, not {block.exit_status}\n{printed}")
        return printed

    def look_at_pictures(self):
        update = os.environ.get("BOUGH_UPDATE") == "1"
        for picture in self.page.pictures:
            made, kept = self.desk / picture.path, self.path.parent / picture.path
            if picture.not_run is None and not made.is_file():
                self.fail(
                    picture.line,
                    f"the page shows {picture.path}, and no block of it made that file (a picture from "
                    "elsewhere has `<!-- not run: reason -->` above it)",
                )
            if made.is_file():
                self.check_picture(picture, made)
                if update and not self.failures:
                    kept.parent.mkdir(exist_ok=True)
                    shutil.copyfile(made, kept)
            if not kept.is_file():
                words = "is not beside the page; BOUGH_UPDATE=1 puts it there once nothing else is wrong"
                self.fail(picture.line, f"{picture.path} {words}")

    def check_picture(self, picture, made):
        stem = self.path.stem
        if not made.name.replace("_", "-").startswith(stem.replace("_", "-")):
            self.fail(picture.line, f"the name of {picture.path} must start with the page's, {stem}")
        if made.stat().st_size > MOST_BYTES:
            self.fail(picture.line, f"{picture.path} has {made.stat().st_size} bytes, more than {MOST_BYTES}")
