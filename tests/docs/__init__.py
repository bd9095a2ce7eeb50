# SPDX-License-Identifier: Apache-2.0
"""A package, so that the tests here share the parser and the runner of pages."""
