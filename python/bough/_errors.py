# SPDX-License-Identifier: Apache-2.0
"""The exception that the compiled part raises for wrong parameters, data and models."""


class BoughError(ValueError):
    """What is wrong and where, and in ``hint`` what to do about it.

    Attributes
    ----------
    code : str
        ``bad_params``, ``bad_data`` or ``bad_model``.
    hint : str
        The way out; may be empty.
    """

    code: str = "bad_data"
    hint: str = ""
