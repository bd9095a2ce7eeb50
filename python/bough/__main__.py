# SPDX-License-Identifier: Apache-2.0
"""``python -m bough``: the command line."""

import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Runs the command line that lies in the package, with this process's arguments."""
    program = Path(__file__).parent / "bin" / ("bough.exe" if os.name == "nt" else "bough")
    if not program.is_file():
        print(f"bough: the command line is not part of this installation ({program})", file=sys.stderr)
        return 70
    command = [str(program), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    os.execv(program, command)


if __name__ == "__main__":
    sys.exit(main())
