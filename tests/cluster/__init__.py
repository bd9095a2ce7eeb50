# SPDX-License-Identifier: Apache-2.0
"""A package, so that a file of this name elsewhere on the path is not taken for it."""
