# SPDX-License-Identifier: Apache-2.0
"""``python -m bough``: the command line."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path


def environment() -> dict[str, str]:
    """This process's, and where pyarrow's libraries are, by which Parquet and Arrow files are read."""
    found = importlib.util.find_spec("pyarrow")
    folders = list(found.submodule_search_locations or []) if found else []
    return {**({"BOUGH_ARROW_LIBRARIES": folders[0]} if folders else {}), **os.environ}


def main() -> int:
    """Runs the command line that lies in the package, with this process's arguments."""
    if sys.argv[1:2] == ["dask-train"] and len(sys.argv) == 3:  # the command line asks for a cluster
        from .distributed._command import run

        return run(sys.argv[2])
    program = Path(__file__).parent / "bin" / ("bough.exe" if os.name == "nt" else "bough")
    if not program.is_file():
        print(f"bough: the command line is not part of this installation ({program})", file=sys.stderr)
        return 70
    command = [str(program), *sys.argv[1:]]
    os.environ.setdefault("BOUGH_PYTHON", sys.executable)
    if os.name == "nt":
        return subprocess.run(command, check=False, env=environment()).returncode
    os.execve(program, command, environment())


if __name__ == "__main__":
    sys.exit(main())
