"""Clusters under test: the model, and the RTL where it is built (`make soc-cluster`)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Protocol

import pytest

from lutra.soc import operations
from lutra.soc.cluster.host import Device, Host
from lutra.soc.cluster.model import Cluster
from lutra.soc.operations import Firmware

RTL: ModuleType | None
try:
    RTL = import_module("lutra.soc._cluster")
except ModuleNotFoundError:
    RTL = None
CORES = range(min(RTL.CORES, 4) if RTL else 4)
BUILT = RTL.CORES if RTL else len(CORES)
AES = operations.load("aes-packets")
MEMORY_BYTES = 1 << 22


class Make(Protocol):
    """Makes a cluster with firmware in its cores. stalls: of 100 cycles, how many the RTL's bus stalls in."""

    def __call__(
        self,
        latency: int = 0,
        stalls: int = 0,
        seed: int = 1,
        images: Mapping[int, Firmware] | None = None,
        *,
        by_flow: bool = False,
    ) -> Host: ...


def maker(device: str) -> Make:
    """device: model or rtl. Skips the test where the RTL is not built."""
    if device == "rtl" and RTL is None:
        pytest.skip("lutra_cluster is not compiled: make soc-cluster")

    def make(
        latency: int = 0,
        stalls: int = 0,
        seed: int = 1,
        images: Mapping[int, Firmware] | None = None,
        *,
        by_flow: bool = False,
    ) -> Host:
        memory = bytearray(MEMORY_BYTES)
        made: Device = Cluster(memory, BUILT, latency)
        if device == "rtl" and RTL is not None:
            made = RTL.Cluster(memory, latency, stalls, seed)
        return Host(made, memory, images or dict.fromkeys(CORES, AES), by_flow=by_flow)

    return make
