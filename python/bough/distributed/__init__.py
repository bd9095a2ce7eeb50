# SPDX-License-Identifier: Apache-2.0
"""Training on blocks of rows with other hands: the protocol of executors, and what runs through it.

`bough.dask` has the estimators. An executor for another engine implements `Executor` and is given to
`fit_blocks`; docs/dask.md shows how.
"""

from ._executor import Executor, LocalExecutor, Moved
from ._trace import Trace
from ._train import Limits, Partitions, code_blocks, fit_blocks

__all__ = [
    "Executor",
    "Limits",
    "LocalExecutor",
    "Moved",
    "Partitions",
    "Trace",
    "code_blocks",
    "fit_blocks",
]
