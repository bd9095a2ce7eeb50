# SPDX-License-Identifier: Apache-2.0
"""Real clusters of worker processes on this machine."""

import logging

import pytest

distributed = pytest.importorskip("distributed")


def start(n_workers, threads=1, **options):
    cluster = distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=threads,
        processes=True,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
        **options,
    )
    return cluster, distributed.Client(cluster)


@pytest.fixture(scope="session")
def client():
    """Two workers of one thread each, for all tests that do not harm them."""
    cluster, found = start(2)
    with cluster, found:
        yield found


@pytest.fixture
def own_cluster():
    """start(n_workers) of clusters that a test may break."""
    opened = []

    def begin(n_workers, **options):
        opened.append(start(n_workers, **options))
        return opened[-1]

    yield begin
    for cluster, found in opened:
        found.close(timeout=5)
        cluster.close(timeout=10)
