# SPDX-License-Identifier: Apache-2.0
"""Runs exported models in another onnxruntime: python onnx_side.py folder. Needs numpy and onnxruntime."""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime


def main(folder):
    for path in sorted(folder.glob("*.onnx")):
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        feeds = {}
        for number, wanted in enumerate(session.get_inputs()):
            stem = f"{path.stem}.{number}"
            texts = folder / f"{stem}.json"
            if texts.is_file():
                cells = np.array(json.loads(texts.read_text()), dtype=object).reshape(-1, 1)
            else:
                cells = np.load(folder / f"{stem}.npy")
            feeds[wanted.name] = cells
        for wanted, values in zip(session.get_outputs(), session.run(None, feeds), strict=True):
            place = folder / f"{path.stem}.{wanted.name}"
            if values.dtype == object:
                Path(f"{place}.json").write_text(json.dumps(values.tolist()))
            else:
                np.save(f"{place}.npy", values)
    print(onnxruntime.__version__)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
