# SPDX-License-Identifier: Apache-2.0
"""Runs exported C and C++ headers: many models in one program, rows and answers as raw numbers in files."""

import re

import numpy as np
from support import run

STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
LANGUAGES = {"c": ("gcc", "-std=c99", ".h", ".c"), "cpp": ("g++", "-std=c++17", ".hpp", ".cpp")}


def engine(language):
    """The compiler and its version, for the reader of the tests."""
    return run(LANGUAGES[language][0], "--version").splitlines()[0]


def c_text(text):
    return '"' + "".join(f"\\{byte:03o}" for byte in text.encode()) + '"'


class Program:
    """Cases whose headers are compiled together and asked about their rows."""

    def __init__(self, folder, language, float32=False):
        self.folder, self.language, self.float32 = folder, language, float32
        self.compiler, self.standard, self.suffix, self.source = LANGUAGES[language]
        self.cell = np.dtype(np.float32 if float32 else np.float64)
        self.cases, self.blocks, self.headers = [], [], []

    def add(self, case, rows, **options):
        """One model; its rows come as numbers and level indices."""
        prefix = f"m{len(self.cases)}"
        text = case.model.export(
            self.language,
            {"prefix": prefix, **({"float32": "true"} if self.float32 else {}), **options},
        )
        (self.folder / f"{prefix}{self.suffix}").write_text(text)
        case.codes(rows).astype(self.cell).tofile(self.folder / f"{prefix}.rows")
        self.cases.append((case, len(rows[0])))
        self.headers.append(f'#include "{prefix}{self.suffix}"')
        self.blocks.append(self.block(case, len(rows[0]), prefix, text))

    def name(self, prefix, word):
        return f"{prefix}_{word}" if self.language == "c" else f"{prefix}::{word}"

    def block(self, case, n_rows, prefix, text):
        cell = "float" if self.float32 else "double"
        trees, outputs = len(case.trees), len(case.targets)
        width = len(case.trees[0][1][0]["values"])
        many = "t, " if trees > 1 else ""
        lines = [
            f"static void run_{prefix}(void) {{",
            f"  static {cell} rows[{n_rows}][{len(case.features)}];",
            f"  static {cell} out[{max(width, 1)}];",
            f"  uint32_t i, t, classes[{outputs}], node;",
            f'  FILE *in = fopen("{prefix}.rows", "rb"), *to = fopen("{prefix}.answers", "wb");',
            "  if (!in || !to || fread(rows, sizeof rows, 1, in) != 1) exit(1);",
            f"  for (i = 0; i < {n_rows}; ++i) {{",
            f"    for (t = 0; t < {trees}; ++t) {{",
            f"      node = {self.name(prefix, 'leaf')}({many}rows[i]);",
            "      fwrite(&node, 4, 1, to);",
            "    }",
        ]
        if case.task == "classification":
            lines += [
                f"    {self.name(prefix, 'classes')}(rows[i], classes);",
                f"    fwrite(classes, 4, {outputs}, to);",
                f"    {self.name(prefix, 'probabilities')}(rows[i], out);",
            ]
        else:
            lines += [f"    {self.name(prefix, 'values')}(rows[i], out);", "    (void)classes;"]
        lines += [f"    fwrite(out, sizeof out[0], {width}, to);", "  }"]
        lines += self.level_lines(case, prefix, text)
        return "\n".join([*lines, "  fclose(in);", "  fclose(to);", "}"])

    def level_lines(self, case, prefix, text):
        """What the functions of the categories give for all names and one that is none."""
        word = rf"{prefix}_level_" if self.language == "c" else r"\blevel_"
        names = re.findall(rf"inline \w+ ({word}\w+)\((?:const char|double)", text)
        fields = [spec for spec in case.features if spec["kind"] != "numeric"]
        assert len(names) == len(set(names)) == len(fields)
        for name, spec in zip(names, fields, strict=True):
            call = name if self.language == "c" else f"{prefix}::{name}"
            textual = spec["levels"]["type"] == "text"
            cells = [*spec["levels"]["names"], "no such"] if textual else [*spec["levels"]["numbers"], 12.5]
            for i, cell in enumerate(cells):
                wanted = i if i < len(cells) - 1 else -1
                argument = c_text(cell) if textual else repr(cell)
                yield f"  if ({call}({argument}) != {wanted}) {{ puts({c_text(name)}); exit(2); }}"

    def run(self, *flags):
        """Compiles and runs everything; the answers of every case as (leaves, values, shares)."""
        calls = "".join(f"  run_m{i}();\n" for i in range(len(self.cases)))
        source = self.folder / f"main{self.source}"
        source.write_text(
            "#include <stdio.h>\n#include <stdlib.h>\n"
            + "\n".join(self.headers + self.blocks)
            + f"\nint main(void) {{\n{calls}  return 0;\n}}\n"
        )
        run(self.compiler, self.standard, *STRICT, *flags, source, "-o", "main", cwd=self.folder)
        run("./main", cwd=self.folder)
        return [self.answers(i) for i in range(len(self.cases))]

    def check_freestanding(self):
        """Compiles the headers alone, for a machine without an operating system or a library."""
        source = self.folder / f"alone{self.source}"
        source.write_text("\n".join(self.headers) + "\nint nothing;\n")
        flags = ["-ffreestanding", "-nostdlib", "-c"]
        run(self.compiler, self.standard, *STRICT, *flags, source, "-o", "alone.o", cwd=self.folder)

    def answers(self, number):
        case, n_rows = self.cases[number]
        width = len(case.trees[0][1][0]["values"])
        fields = [("leaves", np.uint32, (len(case.trees),))]
        if case.task == "classification":
            fields.append(("classes", np.uint32, (len(case.targets),)))
        fields.append(("values", self.cell, (width,)))
        got = np.fromfile(self.folder / f"m{number}.answers", dtype=np.dtype(fields))
        assert len(got) == n_rows
        return got


def check(case, judge, got, cell=np.float64):
    """The same leaves, classes and numbers, to the last bit."""
    for tree, leaves in enumerate(judge.leaves):
        np.testing.assert_array_equal(got["leaves"][:, tree], leaves, err_msg=f"{case} tree {tree}")
    if case.task == "classification":
        np.testing.assert_array_equal(got["classes"], judge.values, err_msg=str(case))
        wanted = np.concatenate(judge.shares, axis=1)
    else:
        wanted = judge.values
    np.testing.assert_array_equal(got["values"], wanted.astype(cell), err_msg=str(case))
