"""Work in pieces on a Dask cluster; needs the extra `dask`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from lutra.cosim.pool import in_order

CONNECT_SECONDS = 10
# Pieces handed out ahead to the scheduler.
AHEAD = 1000

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class ClusterError(Exception):
    """The cluster cannot be used; one line with the remedy."""


def results(work: Callable[[Piece], Result], pieces: Iterable[Piece], address: str) -> Iterator[Result]:
    """Results of all pieces, in their order, from the workers of the scheduler at an address.

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
            yield from in_order((client.submit(work, piece, pure=False) for piece in pieces), AHEAD)
        except KilledWorker as error:
            raise ClusterError(f"{address}: the workers die; see their logs") from error
        except ModuleNotFoundError as error:
            raise ClusterError(f"{address}: a worker has no {error.name}; start workers with this Lutra") from error
