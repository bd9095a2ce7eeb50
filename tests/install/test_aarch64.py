# SPDX-License-Identifier: Apache-2.0
"""64-bit ARM under qemu: the program and the tests of the core, which know the models of x86-64."""

import re
import shutil

import pytest
from support import ROOT, run

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def build():
    """The folder of the build."""
    if not all(map(shutil.which, ("aarch64-linux-gnu-g++", "qemu-aarch64"))):
        pytest.skip("no cross compiler or no qemu: tools/setup.sh aarch64")
    run("bash", ROOT / "tools/dist.sh", "aarch64", cwd=ROOT)
    run("bash", ROOT / "tools/build.sh", "aarch64", "test_builds", "test_base", cwd=ROOT)
    return ROOT / "build/aarch64"


def test_the_program_for_64_bit_arm_grows_the_same_models(build, models_of, expected, tmp_path):
    assert models_of(["qemu-aarch64", build / "single/bough"], tmp_path / "here") == expected


@pytest.mark.parametrize(
    ("program", "cases"), [("base/test_base", "*"), ("threads/test_builds", "*every_other_build")]
)
def test_tests_of_the_core_pass_on_64_bit_arm(build, program, cases):
    emulator = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
    told = run(*emulator, build / "tests/cpp" / program, f"--gtest_filter={cases}", cwd=ROOT)
    assert re.search(r"^\[  PASSED  \] [1-9]", told, re.M)
