#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A release without its last step: builds everything that a version consists of into build/dist, checks it, and stops before
# anything is uploaded. docs/engineer/release.md has the whole list.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$PWD/.venv/bin/python
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
step() { printf '\n== %s\n' "$1"; }
[[ -z $(git status --porcelain) ]] || echo "warning: the checkout has changes that are not committed"
rm -rf build/dist

step "wheel"
tools/wheel.sh
step "single-file program"
tools/dist.sh
step "sdist"
"$python" -m build --sdist --no-isolation --outdir build/dist . >build/sdist.log
sdist=$PWD/build/dist/bough-$(sed -n 's/^project(bough VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt).tar.gz
ls "$sdist"
step "Debian package"
tools/deb.sh
dpkg-deb --info build/dist/*.deb | sed -n 's/^ //p'

step "checks"
"$python" -m twine check --strict build/dist/*.whl "$sdist"
"$python" -m auditwheel show build/dist/*.whl
"$python" -m abi3audit --strict build/dist/*.whl
grep -q '^\[project.urls\]' pyproject.toml || echo "note: pyproject.toml has no [project.urls]; set them when there is a home"
step "clean environments, other libraries, chroots"
# What compiles everything again, or takes long, is a part of `make test-long`.
BOUGH_WHEEL=$(ls build/dist/*.whl) BOUGH_TARBALL=$(ls build/dist/*-linux-*.gz) BOUGH_DEB=$(ls build/dist/*.deb) BOUGH_SDIST=$sdist \
  "$python" -m pytest tests/install tests/repo/test_release.py -q -rs --ignore tests/install/test_versions.py \
  -k "not two_builds and not sdist_builds and not 64_bit_arm and not scikit_learns_own"
step "documentation"
tools/docs.sh

step "built and checked, not uploaded"
(cd build/dist && sha256sum -- *.whl *.tar.gz *.deb | tee SHA256SUMS)
