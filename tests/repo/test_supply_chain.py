# SPDX-License-Identifier: Apache-2.0
"""The list of dependencies against sources, packaging and built files; the SBOM against CycloneDX's rules."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BOUGH_BUILD", ROOT / "build/release"))
SYSTEM_HEADERS = (
    "dlfcn.h fcntl.h glob.h math.h pthread.h signal.h spawn.h stdbool.h stddef.h stdint.h stdio.h stdlib.h"
    " string.h unistd.h"
    " sanitizer/tsan_interface.h"  # the compiler's, in builds for the thread sanitizer only
)


def load_sbom():
    spec = importlib.util.spec_from_file_location("sbom", ROOT / "tools/sbom.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sbom = load_sbom()
BY_PIP = {entry["pip"]: entry for entry in sbom.known() if "pip" in entry}
BY_DEBIAN = {entry["debian"]: entry for entry in sbom.known() if "debian" in entry}


def test_entries_are_whole_and_stand_once():
    names = [entry["name"] for entry in sbom.known()]
    assert len(names) == len(set(names))
    for entry in sbom.known():
        assert entry["scope"] in sbom.SCOPES and entry["licence"] and entry["use"]
        assert ("pip" in entry) != ("debian" in entry)
        assert sbom.in_range("1000000", entry["range"].split(",")[0])


def test_ranges_are_understood():
    assert sbom.in_range("1:1.2.13.dfsg-1", ">=1.2.13,<2")
    assert sbom.in_range("9.1.0+ds1-2", ">=9,<12")
    assert not sbom.in_range("1.9", ">=1.10,<2")
    assert not sbom.in_range("2.0.1", ">=1.10,<2")
    assert not sbom.in_range("2", ">=1,<2.0")


def test_every_foreign_header_has_an_entry():
    prefixes = {prefix for entry in sbom.known() for prefix in entry.get("headers", [])}
    used, unknown = set(), set()
    for folder in ("include", "src", "cli", "python/src"):
        for path in (ROOT / folder).rglob("*.[ch]*"):
            for name in re.findall(r"^#include <(.+?)>", path.read_text(encoding="utf-8"), re.M):
                # The headers of C++ have no dot and no folder.
                if name in SYSTEM_HEADERS.split() or name.startswith("sys/") or not re.search("[./]", name):
                    continue
                owner = [prefix for prefix in prefixes if name.startswith(prefix)]
                used.update(owner)
                if not owner:
                    unknown.add(f"{name} in {path.relative_to(ROOT)}")
    assert not unknown
    assert prefixes == used, "entries that nothing includes any more"


def test_setup_installs_only_what_is_listed():
    text = (ROOT / "tools/setup.sh").read_text()
    tools = ["g++", "cmake", "ninja-build", "ccache", "pkg-config", "python3"]

    def packages(profile, table):
        block = re.search(rf"declare -A {table}_of=\((.*?)\n\)", text, re.S)[1]
        return re.search(rf'\[{profile}\]="(.*?)"', block, re.S)[1].split()

    debian = {name for name in packages("core", "apt") if not name.startswith("clang") and name not in tools}
    pip = {
        re.match(r"[\w-]+", name)[0] for profile in ("python", "docs") for name in packages(profile, "pip")
    }
    assert debian | set(packages("docs", "apt")) <= set(BY_DEBIAN)
    assert pip <= set(BY_PIP)
    assert {entry["debian"] for entry in sbom.known() if entry["scope"] == "linked"} <= debian


def test_the_ranges_of_the_package_are_those_of_the_list():
    text = (ROOT / "pyproject.toml").read_text()
    quoted = re.findall(r'"([\w-]+)(?:\[\w+\])?((?:>=|<)[0-9.]+(?:,<[0-9.]+)?)"', text)
    seen = {name: found for name, found in quoted if name != "bough"}
    assert {"numpy", "scipy", "scikit-learn", "joblib", "nanobind", "nanobind-backend", "pandas"} <= set(seen)
    for name, found in quoted:
        assert BY_PIP[name]["range"] == found, name


def test_cmake_asks_for_the_lowest_versions_of_the_list():
    text = (ROOT / "cmake/dependencies.cmake").read_text()
    for entry in sbom.known():
        if entry["scope"] != "linked":
            continue
        least = entry["range"].split(",")[0].removeprefix(">=")
        if "cmake" in entry:
            assert re.search(rf"bough_need\({entry['cmake']} {least} \S+ {entry['debian']}\)", text), entry
        assert f" {entry['debian']})" in text, entry


def test_everything_that_is_missing_is_told_at_once(tmp_path):
    """As in a chroot without any of the libraries."""
    nowhere = [f"-DCMAKE_FIND_ROOT_PATH={tmp_path}"]
    nowhere += [f"-DCMAKE_FIND_ROOT_PATH_MODE_{kind}=ONLY" for kind in ("LIBRARY", "INCLUDE", "PACKAGE")]
    done = subprocess.run(
        ["cmake", "-G", "Ninja", "-S", ROOT, "-B", tmp_path / "build", *nowhere],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert done.stderr.count("CMake Error") == 1, done.stderr
    told = " ".join(done.stderr.split())
    linked = [entry for entry in sbom.known() if entry["scope"] == "linked"]
    assert len(linked) == 9
    packages = re.search(r"apt-get install ([\w\s-]+?) Elsewhere", told)[1].split()
    assert sorted(packages) == sorted(entry["debian"] for entry in linked)


def test_what_is_installed_here_is_within_the_ranges():
    for entry in sbom.known():
        version = sbom.installed_version(entry)
        if version is not None and entry["range"] != ">=0":
            assert sbom.in_range(version, entry["range"]), f"{entry['name']} {version}"


def test_licences_are_those_that_python_packages_say():
    for name, entry in BY_PIP.items():
        try:
            said = metadata.metadata(name).get("License-Expression")
        except metadata.PackageNotFoundError:
            continue
        # What a package bundles stands behind its own licence.
        assert said is None or said.split(" AND ")[0] == entry["licence"], name


def test_the_page_of_dependencies_is_up_to_date():
    told = "tools/sbom.py --page > docs/dependencies.md"
    assert (ROOT / "docs/dependencies.md").read_text() == sbom.page(), told


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    if not sbom.built_files(BUILD):
        pytest.skip("nothing is built")
    path = tmp_path_factory.mktemp("sbom") / "bough.cdx.json"
    command = [sys.executable, ROOT / "tools/sbom.py", "--build", BUILD, "-o", path]
    subprocess.run(command, check=True)
    first = path.read_bytes()
    subprocess.run(command, check=True)
    assert path.read_bytes() == first
    return json.loads(first)


def test_the_sbom_obeys_the_rules_of_cyclonedx(document):
    """Required members and closed word lists of bom-1.5.schema.json."""
    assert document["bomFormat"] == "CycloneDX" and document["specVersion"] == "1.5"
    assert isinstance(document["version"], int) and document["version"] >= 1
    assert set(document) <= {
        "$schema",
        "bomFormat",
        "specVersion",
        "version",
        "metadata",
        "components",
        "dependencies",
    }
    members = {"type", "bom-ref", "name", "version", "description", "scope", "licenses", "purl", "properties"}
    everything = [document["metadata"]["component"], *document["components"]]
    for part in everything:
        assert part["type"] in ("library", "application") and part["name"]
        assert set(part) <= members
        assert part.get("scope", "required") in ("required", "optional", "excluded")
        assert [set(one) for one in part["licenses"]] == [{"expression"}]
        assert re.fullmatch(r"pkg:(pypi|deb/debian)/[\w.+-]+@[\w.%~+-]+", part["purl"]), part["purl"]
    refs = [part["bom-ref"] for part in everything]
    assert len(refs) == len(set(refs))
    assert sorted(entry["ref"] for entry in document["dependencies"]) == sorted(refs)
    for entry in document["dependencies"]:
        assert set(entry["dependsOn"]) <= set(refs)


@pytest.mark.long
def test_the_sbom_obeys_the_schema_of_cyclonedx(document):
    """By the schema that CycloneDX's own library carries; no network."""
    validation = pytest.importorskip("cyclonedx.validation.json")
    from cyclonedx.schema import SchemaVersion

    strict = validation.JsonStrictValidator(SchemaVersion.V1_5)
    assert strict.validate_str(json.dumps(document)) is None
    wrong = document | {"components": [part | {"type": "tree"} for part in document["components"]]}
    assert strict.validate_str(json.dumps(wrong)) is not None, "the judge would notice"


def test_the_sbom_names_what_is_linked_and_compiled_in(document):
    names = {part["name"] for part in document["components"]}
    assert {"fmt", "Highway", "oneTBB", "zlib", "Zstandard", "xxHash", "Random123", "CLI11"} <= names
    linked, unknown = sbom.linked_entries(BUILD)
    assert not unknown and {entry["name"] for entry in linked} <= names
    assert all("version" in part for part in document["components"] if part["name"] != "GNU C++ runtime")


def test_a_library_that_nobody_listed_is_an_error(monkeypatch):
    monkeypatch.setattr(sbom, "linked_entries", lambda build: ([], ["libevil"]))
    with pytest.raises(SystemExit, match="libevil"):
        sbom.document(BUILD)
