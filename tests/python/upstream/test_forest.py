# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's test_forest.py on bough's classes."""

from upstream_loader import load

globals().update(load("test_forest"))
