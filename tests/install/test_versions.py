# SPDX-License-Identifier: Apache-2.0
"""The sources against the headers of newer libraries: those of later releases of Debian."""

import json
import os
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from support import run

pytestmark = pytest.mark.long

PACKAGES = ["libfmt-dev", "libhwy-dev", "libtbb-dev", "libcli11-dev", "nlohmann-json3-dev"]


@pytest.fixture(scope="module", params=["trixie", "sid"])
def headers(request, tmp_path_factory):
    """The folder of the headers of a release, unpacked out of its packages; nothing is installed."""
    if shutil.which("apt-get") is None:
        pytest.skip("headers come from Debian")
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "lists/partial").mkdir(parents=True)
    only = ["Created-By: Packages", "Label: Debian"]
    mirror = run("apt-get", "indextargets", "--format", "$(REPO_URI)", *only).split()[0]
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (folder / "sources.list").write_text(f"deb [signed-by={key}] {mirror} {request.param} main\n")
    settings = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": folder / "lists",
        "Dir::State::status": "/dev/null",
        "APT::Sandbox::User": "",
    }
    (folder / "apt.conf").write_text("".join(f'{name} "{value}";\n' for name, value in settings.items()))
    for words in (["update"], ["download", *PACKAGES]):
        done = subprocess.run(
            ["apt-get", "-q", *words], cwd=folder, env={**os.environ, "APT_CONFIG": str(folder / "apt.conf")},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            pytest.skip(f"apt-get {words[0]} of {request.param}: {done.stderr[-300:]}")
    for package in folder.glob("*.deb"):
        print(package.name)
        run("dpkg-deb", "-x", package, folder)
    return folder / "usr/include"


def test_every_source_compiles_with_them(headers, release_build):
    multiarch = run("gcc", "-print-multiarch").strip()
    first = [f"-I{headers}", f"-I{headers / multiarch}", "-fsyntax-only", "-w"]

    def check(entry):
        words = shlex.split(entry["command"])
        if words[0].endswith("ccache"):
            words.pop(0)
        del words[words.index("-o") : words.index("-o") + 2]
        words.remove("-c")
        done = subprocess.run(
            [words[0], *first, *words[1:]],
            cwd=entry["directory"],
            capture_output=True,
            text=True,
            check=False,
        )
        return "" if done.returncode == 0 else f"{entry['file']}\n{done.stderr[:1000]}"

    entries = json.loads((release_build / "compile_commands.json").read_text())
    entries = [entry for entry in entries if any(f" -o {top}/" in entry["command"] for top in ("src", "cli"))]
    assert len(entries) > 40
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [text for text in pool.map(check, entries) if text]
    assert not failed, "\n".join(failed)
