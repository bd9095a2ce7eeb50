#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The licence texts of everything that a build contains, in one file.

    tools/licences.py --build build/ship -o THIRD_PARTY_LICENSES.txt

The parts are those of the SBOM. Their texts are the copyright files that Debian installs with every package,
the licences that these refer to, and the licence files of Python packages. A part without a text is an error.
"""

import argparse
import re
import sys
from importlib import metadata
from pathlib import Path

import sbom

DOCS = Path("/usr/share/doc")
COMMON = Path("/usr/share/common-licenses")


def text_of(entry: dict) -> str:
    """The copyright notice and licence of one part."""
    if "debian" in entry:
        path = DOCS / entry.get("notice", entry["debian"]) / "copyright"
        if path.is_file():
            return path.read_text(encoding="utf-8")
        raise SystemExit(f"licences: {path} is missing\n  hint: install that package again")
    files = metadata.files(entry["pip"]) or []
    texts = [file.locate().read_text(encoding="utf-8") for file in files if "licenses/" in str(file)]
    if not texts:
        raise SystemExit(f"licences: the Python package {entry['pip']} has no licence text")
    return "\n".join(texts)


def section(title: str, text: str) -> str:
    return f"{'=' * 78}\n{title}\n{'=' * 78}\n\n{text.strip()}\n\n"


def document(build: Path, program_only: bool = False) -> str:
    """All texts; the same build gives the same bytes."""
    # The single-file program contains even the libraries of C and C++.
    scopes = ("linked", "system") if program_only else ("linked",)
    parts = sbom.parts(build, program_only)
    names = {"nanobind"}
    if (build / "old_runtime").is_dir():  # parts of it are in the wheel (tools/old_runtime.py)
        names.add("GNU C++ runtime")
    entries = [e for e in parts if e["scope"] in scopes or e["name"] in names]
    body, referred = "", set()
    for entry in entries:
        text = text_of(entry)
        referred.update(re.findall(rf"{COMMON}/([\w.-]*\w)", text))
        body += section(f"{entry['name']} {sbom.installed_version(entry)}: {entry['licence']}", text)
    for name in sorted(referred):
        body += section(f"The licence {name}", (COMMON / name).read_text(encoding="utf-8"))
    listed = ", ".join(entry["name"] for entry in entries)
    again = "The GNU C library (LGPL) can be exchanged: `make dist` of bough's sources links it again.\n"
    return (
        f"bough itself is under Apache-2.0 (LICENSE). This build also contains: {listed}.\n"
        "Their notices and licences follow; those of Debian packages name more files than are compiled in.\n"
        "Their sources: Debian's source packages of these versions.\n" + again * program_only + "\n" + body
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=sbom.ROOT / "build/ship", help="folder of the build")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file to write")
    parser.add_argument("--program", action="store_true", help="of the program, not of the Python package")
    flags = parser.parse_args()
    flags.output.write_text(document(flags.build, flags.program), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
