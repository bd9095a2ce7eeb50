# SPDX-License-Identifier: Apache-2.0
# Toolchain: 64-bit ARM by Debian's cross compiler, programs run by qemu (tools/setup.sh aarch64). Headers and CMake files of the
# dependencies are those of this machine's packages; what is linked comes from BOUGH_STATIC_LIBS.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
execute_process(COMMAND gcc -print-multiarch OUTPUT_VARIABLE multiarch OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_PREFIX_PATH /usr/lib/${multiarch}/cmake)
set(CMAKE_LIBRARY_PATH /usr/lib/${multiarch})
# zconf.h
set(CMAKE_C_FLAGS_INIT "-idirafter /usr/include/${multiarch}")
set(CMAKE_CXX_FLAGS_INIT "-idirafter /usr/include/${multiarch}")
