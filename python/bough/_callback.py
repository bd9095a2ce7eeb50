# SPDX-License-Identifier: Apache-2.0
"""What surrounds a fit: the way back when it fails, and scikit-learn's callbacks, experimental there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback._callback_support import callback_management_context
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in where scikit-learn has no callbacks."""

    callback_management_context = None


class unchanged_by_errors:  # a class: a generator takes a microsecond more of every small fit
    """A fit that did not happen changes nothing, whatever ended it: Ctrl-C, too."""

    def __init__(self, estimator: Any) -> None:
        self.estimator, self.before = estimator, estimator.__dict__.copy()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            self.estimator.__dict__ = self.before


@contextmanager
def watched_fit(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """Runs a fit as one task of the estimator's callbacks."""
    metadata = {} if sample_weight is None else {"sample_weight": sample_weight}
    with callback_management_context(estimator):
        context = estimator._init_callback_context(max_subtasks=0)
        call(context.call_on_fit_task_begin, estimator=estimator, X=X, y=y, metadata=metadata)
        yield
        call(
            context.call_on_fit_task_end,
            estimator=estimator,
            X=X,
            y=y,
            metadata=metadata,
            fitted_estimator=estimator,
        )


def call(hook: Callable[..., Any], **known: Any) -> Any:
    """Calls a hook with those of the arguments that it takes; their set still changes between releases."""
    import inspect

    taken = inspect.signature(hook).parameters
    return hook(**{name: value for name, value in known.items() if name in taken})
