"""A campaign on a Dask cluster; needs the extra `dask`."""

from __future__ import annotations

from collections.abc import Iterator

from lutra.cosim.campaign import Result, Work, in_order, work

CONNECT_SECONDS = 10
# Chunks handed out ahead to the scheduler.
AHEAD = 1000


class ClusterError(Exception):
    """The cluster cannot be used; one line with the remedy."""


def results(todo: Work, address: str) -> Iterator[Result]:
    """Results of the chunks, in their order, from the workers of the scheduler at an address.

    Workers need this version of Lutra. Raises ClusterError if there is no scheduler or no worker is left.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ClusterError("Dask is not installed; install lutra-asip[dask]") from error
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ClusterError(f"{address}: no Dask scheduler answers there; start one with `dask scheduler`") from error
    with client:
        try:
            yield from in_order((client.submit(work, chunk, pure=False) for chunk in todo.chunks()), AHEAD)
        except KilledWorker as error:
            raise ClusterError(f"{address}: the workers die; see their logs") from error
