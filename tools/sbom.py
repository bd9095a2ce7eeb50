#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of a build as a CycloneDX 1.5 document, and docs/dependencies.md.

    tools/sbom.py --build build/release -o build/release/bough.cdx.json
    tools/sbom.py --page > docs/dependencies.md

What is linked comes from the built files themselves (readelf), versions from dpkg and pip, licences and
ranges from tools/dependencies.json. A shared library that the list does not know is an error, so that the
list cannot go stale.
"""

import argparse
import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCOPES = {
    "linked": "C++ libraries, linked or compiled into the library, the program and the extension",
    "system": "C and C++ runtimes of the system",
    "python": "The Python package",
    "optional": "Optional",
    "test": "Tests, benchmarks and packaging (not shipped)",
    "docs": "The documentation site (`make docs`)",
}


def known() -> list[dict]:
    return json.loads((ROOT / "tools/dependencies.json").read_text())["dependencies"]


def own_version() -> str:
    return re.search(r"project\(bough VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def debian_version(package: str) -> str | None:
    try:
        done = subprocess.run(
            ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        return None
    words = done.stdout.split()
    return words[1] if done.returncode == 0 and words[:1] == ["installed"] else None


def installed_version(entry: dict) -> str | None:
    """Of the Debian package or the Python package, whichever the list names; None: not here."""
    if "debian" in entry:
        return debian_version(entry["debian"])
    try:
        return metadata.version(entry["pip"])
    except metadata.PackageNotFoundError:
        return None


def upstream(version: str) -> str:
    """1:1.2.13.dfsg-1 -> 1.2.13"""
    found = re.match(r"(?:\d+:)?(\d+(?:\.\d+)*)", version)
    return found[1] if found else "0"


def in_range(version: str, wanted: str) -> bool:
    """Whether a version is one of a range such as >=1.2,<3."""

    def numbers(text: str) -> list[int]:
        return [int(part) for part in text.split(".")]

    def compare(a: list[int], b: list[int]) -> int:
        size = max(len(a), len(b))
        a, b = a + [0] * (size - len(a)), b + [0] * (size - len(b))
        return (a > b) - (a < b)

    for part in wanted.split(","):
        sign, bound = re.fullmatch(r"(>=|<)([0-9.]+)", part).groups()
        order = compare(numbers(upstream(version)), numbers(bound))
        if (order < 0) if sign == ">=" else (order >= 0):
            return False
    return True


def built_files(build: Path) -> list[Path]:
    names = [
        "bough",
        "libbough_arrow.so",
        *(str(p.relative_to(build)) for p in build.glob("python/_core*.so")),
    ]
    return [build / name for name in names if (build / name).is_file()]


def needed(file: Path) -> list[str]:
    """Names of the shared libraries that a built file asks for, without versions: libfmt, libtbb."""
    text = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    return sorted({re.sub(r"\.so.*$", "", name) for name in re.findall(r"\(NEEDED\).*\[(.+?)\]", text)})


def is_static(build: Path) -> bool:
    """Whether the build carries its libraries inside (cmake/static_libs.cmake): no built file names them."""
    cache = build / "CMakeCache.txt"
    return cache.is_file() and bool(re.search(r"^BOUGH_STATIC_LIBS:\w+=.", cache.read_text(), re.M))


def linked_entries(build: Path) -> tuple[list[dict], list[str]]:
    """Entries whose libraries the built files contain or ask for; and those that no entry knows."""
    owners = {name: entry for entry in known() for name in entry.get("sonames", [])}
    names = sorted({name for file in built_files(build) for name in needed(file)})
    found = {owners[name]["name"]: owners[name] for name in names if name in owners}
    if is_static(build):
        found |= {e["name"]: e for e in known() if e["scope"] == "linked"}
    return list(found.values()), [name for name in names if name not in owners]


def parts(build: Path, program_only: bool = False) -> list[dict]:
    """Entries of everything that `build`, or its program alone, contains or needs."""
    linked, unknown = linked_entries(build)
    if unknown:
        raise SystemExit(
            f"sbom: the build links {', '.join(unknown)}, which tools/dependencies.json does not know\n"
            "  hint: add an entry with its licence and range"
        )
    headers = [e for e in known() if e["scope"] == "linked" and "sonames" not in e]
    extension = not program_only and any(file.name.startswith("_core") for file in built_files(build))
    python = [e for e in known() if e["scope"] == "python"] if extension else []
    found = {e["name"]: e for e in [*linked, *headers, *python]}
    return sorted(found.values(), key=lambda e: e["name"].lower())


def component(entry: dict) -> dict:
    version = installed_version(entry)
    kind = "pypi" if "pip" in entry else "deb/debian"
    package = entry.get("pip") or entry["debian"]
    out = {
        "type": "library",
        "bom-ref": f"{package}",
        "name": entry["name"],
        "description": entry["use"],
        "scope": "optional" if entry["scope"] == "optional" else "required",
        "licenses": [{"expression": entry["licence"]}],
        "properties": [
            {"name": "bough:scope", "value": entry["scope"]},
            {"name": "bough:range", "value": entry["range"]},
        ],
    }
    if version is not None:
        out["version"] = version
        out["purl"] = f"pkg:{kind}/{package}@{version.replace('+', '%2B').replace(':', '%3A')}"
    return out


def document(build: Path, program_only: bool = False) -> dict:
    """The SBOM of what `build` holds. The same build gives the same bytes: no time, no random number."""
    version = own_version()
    own = {
        "type": "library",
        "bom-ref": "bough",
        "name": "bough",
        "version": version,
        "purl": f"pkg:pypi/bough@{version}",
        "licenses": [{"expression": "Apache-2.0"}],
    }
    components = [component(entry) for entry in parts(build, program_only)]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": own,
            "tools": {"components": [{"type": "application", "name": "tools/sbom.py"}]},
        },
        "components": components,
        "dependencies": [
            {"ref": "bough", "dependsOn": [c["bom-ref"] for c in components]},
            *({"ref": c["bom-ref"], "dependsOn": []} for c in components),
        ],
    }


def page() -> str:
    """docs/dependencies.md"""
    text = """# Dependencies

bough is licensed under Apache-2.0, and its sources contain no third-party code. This page lists the packages
that it uses. `tools/sbom.py --page` writes the page from `tools/dependencies.json`, and a test compares both
with the sources, the packaging and the built files.

`make build` lists what a build actually links, with the installed versions, in `build/release/bough.cdx.json`
(CycloneDX 1.5). Wheels contain this file in `*.dist-info/sboms/`.
"""
    for scope, title in SCOPES.items():
        text += f"\n## {title}\n\n| name | package | versions | licence | used for |\n|---|---|---|---|---|\n"
        for e in sorted((e for e in known() if e["scope"] == scope), key=lambda e: e["name"].lower()):
            package = e.get("pip") or e["debian"]
            text += f"| {e['name']} | `{package}` | `{e['range']}` | {e['licence']} | {e['use']} |\n"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="folder of the build")
    parser.add_argument("-o", "--output", type=Path, help="file to write; default: standard output")
    parser.add_argument("--program", action="store_true", help="of the program, not of the Python package")
    parser.add_argument("--page", action="store_true", help="print docs/dependencies.md instead")
    flags = parser.parse_args()
    text = page() if flags.page else json.dumps(document(flags.build, flags.program), indent=2) + "\n"
    if flags.output:
        flags.output.write_text(text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
