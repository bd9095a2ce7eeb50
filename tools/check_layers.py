#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the #includes of src/, cli/, python/ and include/ against the layers of ARCHITECTURE.md.

A room includes only itself and lower layers; rooms on one layer do not see each other. Public headers belong
to the layer of the room that implements them; those of the own layer may be used, being shared vocabulary.
"""

import re
import sys
from pathlib import Path

LAYERS = [
    ["base"],
    ["params", "data", "tree", "criterion"],
    ["split", "predict"],
    ["grow", "prune", "quinlan"],
    ["search"],
    ["model"],
    ["scale"],
    ["explain", "inference"],
    ["rules", "study"],
    ["draw"],
    ["export"],
    ["report"],
    ["c", "arrow_files"],
]
LAYER = {room: depth for depth, rooms in enumerate(LAYERS) for room in rooms}
ROOM_OF_PUBLIC = {
    "error": "base",
    "json": "base",
    "parse_double": "base",
    "criteria": "base",
    "given_params": "params",
    "presets": "params",
    "search_proof": "base",
    "end_searches": "search",
    "table": "data",
    "schema_notes": "data",
    "table_blocks": "data",
    "out_of_core": "scale",
    "arrow_abi": "data",
    "pessimistic": "prune",
    "bough.h": "c",
    "cp": "prune",
    "rpart": "export",
    "bough.hpp": "report",
    "why": "explain",
    "shap": "explain",
    "forest": "model",
    "causal": "inference",
    "importance": "inference",
    "proximity": "inference",
    "output_file": "model",
    "choose_tree": "model",
    "seen_rows": "model",
    "out_of_bag": "inference",
    "intervals": "inference",
    "counterfactual": "explain",
    "significance": "study",
    "changes": "draw",
    "reasons": "explain",
}
DOORS = ("cli", "python")  # see only the public headers and themselves
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
STANDARD = re.compile(r"^(?:[a-z_]+|(?:stddef|stdint|stdbool)\.h)$")


def public_layer(header: str) -> int | None:
    name = header.removeprefix("bough/")
    room = ROOM_OF_PUBLIC.get(name) or ROOM_OF_PUBLIC.get(Path(name).stem) or Path(name).stem
    return LAYER.get(room)


def problem(root: Path, file: Path, header: str, angled: bool) -> str | None:
    """Why `file` may not include `header`, or None."""
    top, *rest = file.relative_to(root).parts
    public = header.startswith("bough/")
    if top == "include":
        if angled:
            return None if STANDARD.match(header) else "public headers use only the standard library"
        return None if public else "public headers include only <std> and bough/"
    if public:
        depth = public_layer(header)
        if depth is None:
            return "unknown public header; add its room to tools/check_layers.py"
        own = LAYER[rest[0]] if top == "src" else len(LAYERS)
        return None if depth <= own else f"belongs to layer {depth}, this is layer {own}"
    if angled:
        return None
    if (beside := file.parent / header).exists():
        room = root.joinpath(top, *rest[: top == "src"])
        return None if beside.resolve().is_relative_to(room) else "leaves its room by a relative path"
    if top in DOORS:
        return None if (root / top / header).exists() else f"{top} sees only bough/ and its own files"
    target, own_room = header.split("/")[0], rest[0]
    if target not in LAYER:
        return "is no room of src/"
    if target != own_room and LAYER[target] >= LAYER[own_room]:
        return f"{own_room} (layer {LAYER[own_room]}) must not see {target} (layer {LAYER[target]})"
    return None


def check(root: Path) -> list[str]:
    problems = []
    for file in sorted(f for top in ("src", "include", *DOORS) for f in (root / top).rglob("*.[chi]*")):
        parts = file.relative_to(root).parts
        if file.suffix not in (".c", ".cpp", ".h", ".hpp", ".inc"):
            continue
        if parts[0] == "src" and (len(parts) < 3 or parts[1] not in LAYER):
            problems.append(f"{'/'.join(parts)}: not in a known room of src/")
            continue
        text = file.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            header, angled = match[1] or match[2], match[2] is not None
            if why := problem(root, file, header, angled):
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{'/'.join(parts)}:{line}: {header}: {why}")
    return problems


if __name__ == "__main__":
    found = check(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve())
    print("\n".join(found) if found else "layers: ok")
    sys.exit(1 if found else 0)
