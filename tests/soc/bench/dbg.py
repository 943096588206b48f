import cocotb
from aes import *
from device import *


@cocotb.test(timeout_time=400, timeout_unit="us")
async def test_dbg(dut):
    d = await Device.start(dut)
    await d.load(AES.image, AES.stream_reset, AES.registers())
    dut._log.info(f"entry {AES.stream_reset} ops {AES.registers()} n {len(AES.image.program)}")
    for sp, row, n in (("m3", 0, 2), ("pm", AES.stream_reset, 8), ("m1", 197, 8), ("t0", 0, 3)):
        p = d.place(b"\xa5" * 16 * n)
        c = await d.one(Descriptor(RAW_READ, destination=p, length=16 * n, aad=row, tag=SPACES[sp]))
        data = d.ram.read(p, 16 * n)
        for i in range(n):
            e = hex(AES.image.program[row + i]) if sp == "pm" and row + i < len(AES.image.program) else ""
            dut._log.info(f"{sp} {row + i} {data[16 * i : 16 * i + 16].hex()} {e}")
    c = await d.one(Descriptor(RAW_RUN, length=1000, aad=AES.stream_reset))
    dut._log.info(str(c))


from cocotb.triggers import RisingEdge


async def watch(dut):
    while True:
        await RisingEdge(dut.clk_i)
        for ch, sig in (
            ("ar", "araddr arid arlen"),
            ("r", "rid rdata rlast rresp"),
            ("aw", "awaddr awid awlen"),
            ("w", "wdata wstrb wlast"),
            ("b", "bid bresp"),
        ):
            if getattr(dut, f"m_axi_{ch}valid").value == 1 and getattr(dut, f"m_axi_{ch}ready").value == 1:
                dut._log.info(
                    ch + " " + " ".join(f"{s}={int(getattr(dut, 'm_axi_' + s).value):x}" for s in sig.split())
                )


@cocotb.test(timeout_time=400, timeout_unit="us")
async def test_watch(dut):
    d = await Device.start(dut)
    cocotb.start_soon(watch(dut))
    p = d.place(bytes(range(48)), 0)
    o = d.place(b"\xa5" * 64, 0)
    c = await d.one(Descriptor(RAW_WRITE, source=p, length=40, aad=5, tag=SPACES["m1"]))
    dut._log.info(str(c))
    c = await d.one(Descriptor(RAW_READ, destination=o, length=40, aad=5, tag=SPACES["m1"]))
    dut._log.info(str(c) + d.ram.read(o, 64).hex())
