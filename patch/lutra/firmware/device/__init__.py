"""A device that takes packs: fuses, flash with two slots, and a core, kept in a folder.

    from lutra.firmware import device
    device.create(Path("dev"), roots.trusted(...))
    with device.opened(Path("dev")) as dev:
        dev.update(Path("zuc.pack").read_bytes())

What is trusted, written, tried and confirmed is decided by the loader in C alone (patch/loader), which drives
the ports of this package: nothing here knows a signature, the boot record or an order of versions.
"""

from lutra.firmware.device.core import Core
from lutra.firmware.device.device import Device, opened, titled
from lutra.firmware.device.errors import DeviceError, LoaderError
from lutra.firmware.device.flash import Flash, FlashError, Layout
from lutra.firmware.device.folder import Description, create
from lutra.firmware.device.fuses import Fuses

__all__ = [
    "Core",
    "Description",
    "Device",
    "DeviceError",
    "Flash",
    "FlashError",
    "Fuses",
    "Layout",
    "LoaderError",
    "create",
    "opened",
    "titled",
]
