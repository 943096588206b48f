import random
import cocotb
from aes import *
from device import *
@cocotb.test(timeout_time=400, timeout_unit="us")
async def test_dbg(dut):
    device = await start(dut)
    draw = random.Random(1)
    for r in range(4):
        texts = [text_of(draw.choice([0, 1, 15, 16, 17, 31, 63, 100, 200])) for _ in range(12)]
        messages = [encrypt(device, text, draw.randrange(16), draw.randrange(16)) for text in texts]
        cs = await device.run(messages)
        dut._log.info(f"{r} " + str([(len(t), m.source&15, m.destination&15, c.status, c.cycles) for t,m,c in zip(texts,messages,cs)]))
        if any(c.status for c in cs):
            dut._log.info(f"status {await device.read('status'):x}")
            p = device.place(b"\xa5"*16*64)
            c = await device.one(Descriptor(RAW_READ, destination=p, length=16*48, aad=0, tag=2))
            for i in range(48): dut._log.info(f"m2 {i} {device.ram.read(p+16*i,16).hex()}")
            break
