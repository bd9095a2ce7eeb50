#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a wheel again, tighter: tools/repack_wheel.py in.whl out.whl

The files, their times and modes stay; zopfli finds a shorter deflate stream for them than zlib does.
"""

import sys
import zipfile

import zopfli.zlib


class Compressor:
    """As zipfile uses one. A raw deflate stream is a zlib stream without its first 2 and last 4 bytes."""

    def __init__(self) -> None:
        self.data = bytearray()

    def compress(self, data: bytes) -> bytes:
        self.data += data
        return b""

    def flush(self) -> bytes:
        return zopfli.zlib.compress(bytes(self.data), numiterations=1)[2:-4]


def repack(source: str, target: str) -> None:
    zipfile._get_compressor = lambda kind, level=None: Compressor()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            if not entry.is_dir():
                entry.compress_type = zipfile.ZIP_DEFLATED
                new.writestr(entry, old.read(entry))


if __name__ == "__main__":
    repack(sys.argv[1], sys.argv[2])
