# SPDX-License-Identifier: Apache-2.0
"""Fixtures that several test folders share: the release build and an installed copy of it."""

import os
from pathlib import Path

import pytest
from support import ROOT, run


@pytest.fixture(scope="session")
def release_build():
    """The folder of the release build, which `make test` has made (BOUGH_BUILD names another)."""
    build = Path(os.environ.get("BOUGH_BUILD", ROOT / "build/release")).resolve()
    if not (build / "bough").is_file():
        pytest.fail(f"{build}/bough is missing; run `make build` first", pytrace=False)
    return build


@pytest.fixture(scope="session")
def installed(release_build, tmp_path_factory):
    """A prefix into which the release build was installed."""
    prefix = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", release_build, "--prefix", prefix)
    return prefix
