#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets this system's compiler link for systems that are years older: tools/old_runtime.py compiler folder

Which C library a program needs is decided when it is linked: the newest version of every function is taken.
The folder gets libraries that offer only the versions of LIMITS and older ones; they hold names and no code.
`-Lfolder -Wl,--wrap=__libc_start_main` puts them in the place of the real ones. What is newer comes from the
static libstdc++ and from packaging/old_*.c. Sources are compiled as for every other build, so speed and
results are the same.
"""

import re
import subprocess
import sys
from pathlib import Path

# manylinux_2_27, as nanobind-backend.
LIMITS = {"GLIBC": (2, 27), "GLIBCXX": (3, 4, 24), "CXXABI": (1, 3, 11), "GCC": (7, 0, 0)}
PACKAGING = Path(__file__).resolve().parents[1] / "packaging"
SOURCES = [PACKAGING / "old_runtime.c", PACKAGING / "old_start.c"]
KINDS = {"OBJECT": ("object", ".data"), "TLS": ("tls_object", '.section .tdata,"awT",@progbits')}


def told_by(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def number_of(version: str) -> tuple[str, tuple[int, ...]]:
    """GLIBC_2.27 is ("GLIBC", (2, 27)); other names have no number."""
    found = re.fullmatch(r"([A-Z]+)_([0-9.]+)", version)
    return (found[1], tuple(map(int, found[2].split(".")))) if found else (version, ())


def old_symbols(library: Path) -> dict[str, tuple[str, str, int, bool]]:
    """Every name that is old enough: its newest allowed version, its kind, its size, whether it is weak."""
    symbols: dict[str, tuple[str, str, int, bool]] = {}
    for line in told_by("readelf", "--dyn-syms", "--wide", library).splitlines():
        words = line.split()
        if len(words) < 8 or words[6] in ("UND", "ABS") or "@" not in words[7]:
            continue
        name, version = re.split("@+", words[7])
        family, number = number_of(version)
        if not number or number > LIMITS.get(family, ()):
            continue
        if name not in symbols or number_of(symbols[name][0])[1] < number:
            symbols[name] = (version, words[3], int(words[2], 0), words[4] == "WEAK")
    return symbols


def write_library(compiler: str, library: Path, target: Path) -> None:
    """A library with the old symbols of another one."""
    lines, versions = [], set()
    for i, (name, (version, kind, size, weak)) in enumerate(sorted(old_symbols(library).items())):
        type_name, section = KINDS.get(kind, ("function", ".text"))
        size = max(size, 1) if kind in KINDS else 1
        lines += [
            section,
            f".{'weak' if weak else 'globl'} s{i}",
            f".type s{i}, %{type_name}",
            f"s{i}: .skip {size}",
        ]
        lines += [f".size s{i}, {size}", f".symver s{i}, {name}@@@{version}"]
        versions.add(version)
    assembly, script = target.with_suffix(".s"), target.with_suffix(".map")
    assembly.write_text("\n".join(lines) + "\n")
    script.write_text("".join(f"{version} {{ }};\n" for version in sorted(versions, key=number_of)))
    options = ["-shared", "-nostdlib", f"-Wl,-soname,{library.name}", f"-Wl,--version-script={script}"]
    told_by(compiler, *options, "-o", target, assembly)


def main(compiler: str, folder: Path) -> None:
    def path_of(name: str) -> Path:
        return Path(told_by(compiler, f"-print-file-name={name}").strip())

    # Made once for a compiler, these limits and these libraries.
    made = [path_of(name) for name in ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1")]
    times = [(str(file), file.stat().st_mtime_ns) for file in [*made, *SOURCES, Path(__file__)]]
    state = f"{compiler} {LIMITS} {times}"
    stamp = folder / "made"
    if stamp.exists() and stamp.read_text() == state:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for library in made:
        write_library(compiler, library, folder / library.name)
    # An archive, of which a linker takes what is asked for.
    extra = folder / "libold_runtime.a"
    objects = [folder / f"{source.stem}.o" for source in SOURCES]
    for source, compiled in zip(SOURCES, objects, strict=True):
        told_by(compiler, "-x", "c", "-O2", "-fPIC", "-c", source, "-o", compiled)
    told_by(told_by(compiler, "-print-prog-name=ar").strip(), "rcsD", extra, *objects)
    # What -lm, -lgcc_s, -lstdc++ and -lc find. Threads and dlopen were libraries of their own once; newer
    # systems have empty files in their place.
    (folder / "libm.so").write_text(f"INPUT({folder / 'libm.so.6'})\n")
    (folder / "libgcc_s.so").write_text(f"INPUT({folder / 'libgcc_s.so.1'})\n")
    (folder / "libstdc++.so").write_text(f"INPUT({folder / made[2].name} {path_of('libstdc++.a')} {extra})\n")
    script = re.sub(r"\S+/libc\.so\.6", str(folder / "libc.so.6"), path_of("libc.so").read_text())
    (folder / "libc.so").write_text(f"{script}INPUT({path_of('libpthread.so.0')} {path_of('libdl.so.2')})\n")
    stamp.write_text(state)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
