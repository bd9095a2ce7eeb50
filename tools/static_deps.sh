#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Static, position-independent archives of the libraries that wheel and single-file program carry, into build/deps; for another
# machine into build/deps-aarch64: tools/static_deps.sh [aarch64]
# Debian's packages have none, or none for shared objects, so they are compiled from the sources of the very packages whose
# headers are installed. Writes libtbb.a, libfmt.a, libhwy.a, libhwy_contrib.a, libzstd.a, libz.a; when they are there it only looks.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$PWD/build/deps
if [[ ${1:-} == aarch64 ]]; then
  folder+=-aarch64
  export CMAKE_TOOLCHAIN_FILE=$PWD/cmake/aarch64.cmake
fi
mkdir -p "$folder"
cd "$folder"
packages=(libtbb-dev libfmt-dev libhwy-dev libzstd-dev zlib1g-dev)
# "libtbb-dev onetbb 2021.8.0-2+deb12u1"
versions=$(dpkg-query -W -f '${Package} ${source:Package} ${source:Version}\n' "${packages[@]}")
[[ ! -f built || $(<built) != "$versions" ]] || exit 0
rm -rf built sources objects ./*.a
mkdir -p sources

quietly() { # quietly log command...: the command's words matter only when it fails
  local log=$folder/$1
  shift
  "$@" >"$log" 2>&1 || { cat "$log" >&2 && return 1; }
}

# The sources stand where the packages came from; only their index is missing. Nothing of the system's apt is touched. One
# repository at a time: an index may name files that are only in another one.
repositories() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u
}
mkdir -p apt/lists/partial
cat >apt/apt.conf <<END
Dir::Etc::SourceList "$folder/apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$folder/apt/lists";
APT::Sandbox::User "";
END
download() { # download source version: into the working folder
  local repository
  while read -r repository; do
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $repository" >"$folder/apt/sources.list"
    if (
      export APT_CONFIG=$folder/apt/apt.conf
      apt-get -q update && apt-get -q source --download-only "$1=$2"
    ) >>"$folder/apt.log" 2>&1; then return 0; fi
  done < <(repositories)
  cat "$folder/apt.log" >&2
  echo "static archives: no repository of this system has the sources of $1 $2" >&2
  echo "  hint: apt-get update && apt-get upgrade, so that the packages installed are those that the repositories have" >&2
  return 1
}
echo "static archives: fetching the sources of ${packages[*]}" >&2
rm -f apt.log
cd sources
while read -r _ source version; do
  download "$source" "$version"
  quietly unpack.log dpkg-source -x "$source"_*.dsc "$source"
done <<<"$versions"
cd ..

compile() { # compile name folder targets... [-- options of cmake]
  local name=$1 from=$2 targets=()
  shift 2
  while (($#)) && [[ $1 != -- ]]; do targets+=("$1") && shift; done
  shift || true
  echo "static archives: compiling $name" >&2
  quietly "$name.log" cmake -G Ninja -S "sources/$from" -B "objects/$name" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache \
    "-DCMAKE_C_FLAGS=-ffile-prefix-map=$folder/=" "-DCMAKE_CXX_FLAGS=-ffile-prefix-map=$folder/=" "$@"
  quietly "$name.log" cmake --build "objects/$name" ${JOBS:+-j "$JOBS"} --target "${targets[@]}"
}
compile tbb onetbb tbb -- -DTBB_TEST=OFF -DTBBMALLOC_BUILD=OFF -DTBB_STRICT=OFF
compile fmt fmtlib fmt -- -DFMT_TEST=OFF -DFMT_DOC=OFF
compile zstd libzstd/build/cmake libzstd_static -- -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_LEGACY_SUPPORT=OFF
# Debian's copy has no files for Windows, and zlib's CMakeLists names one.
mkdir -p sources/zlib/win32 && : >sources/zlib/win32/zlib1.rc
compile zlib zlib zlibstatic
# Of vqsort only the types that src/base/vector_sort.hpp sorts; the others would take minutes.
sorts=()
for type in vqsort vqsort_f32a vqsort_f64a vqsort_u32a vqsort_u64a; do
  sorts+=("CMakeFiles/hwy_contrib.dir/hwy/contrib/sort/$type.cc.o")
done
compile hwy highway hwy "${sorts[@]}" -- -DBUILD_TESTING=OFF -DHWY_ENABLE_EXAMPLES=OFF
archiver=$(sed -n 's/^CMAKE_AR:FILEPATH=//p' objects/hwy/CMakeCache.txt)
(cd objects/hwy && "$archiver" rcsD "$folder/libhwy_contrib.a" "${sorts[@]}")
find objects -name 'lib*.a' \( -path '*tbb/*' -o -path '*fmt/*' -o -path '*zstd/*' -o -path '*zlib/*' -o -path '*hwy/*' \) -exec cp {} . \;
rm -rf objects sources apt ./*.log
echo "$versions" >built
ls ./*.a
