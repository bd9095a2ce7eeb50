# SPDX-License-Identifier: Apache-2.0
"""``python -m bough``: the command line."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def places() -> list[Path]:
    """Where installers put programs: of this environment, of this user, of a folder (``pip --target``)."""
    user = sysconfig.get_preferred_scheme("user")
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=user)]
    return [*map(Path, folders), Path(__file__).parents[1] / "bin"]


def main() -> int:
    """Run the command-line program that comes with the package, with the arguments of this process."""
    if sys.argv[1:2] == ["dask-train"] and len(sys.argv) == 3:  # the command line asks for a cluster
        from .distributed._command import run

        return run(sys.argv[2])
    name = "bough.exe" if os.name == "nt" else "bough"
    program = next((folder / name for folder in places() if (folder / name).is_file()), None)
    if program is None:
        looked = ", ".join(map(str, places()))
        print(f"bough: the command line is not installed (looked in {looked})", file=sys.stderr)
        return 70
    command = [str(program), *sys.argv[1:]]
    os.environ.setdefault("BOUGH_PYTHON", sys.executable)
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    os.execv(program, command)


if __name__ == "__main__":
    sys.exit(main())
