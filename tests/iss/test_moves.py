"""Moves, addressing patterns, counter, flag: what each leaves behind."""

from __future__ import annotations

import pytest

from support.run import Run

BYTES = bytes(range(256))


@pytest.mark.parametrize("offset", range(17))
def test_unaligned_load_and_store(offset: int, run: Run) -> None:
    ran = run(f"arset ar0, {offset}\narset ar1, {32 + offset}\nmov m3[ar1], m2[ar0]\nhalt", m2=BYTES, m3=bytes(4096))
    expected = bytearray(80)
    expected[32 + offset : 48 + offset] = BYTES[offset : offset + 16]
    assert ran.engine.read("m3", 0, 80) == bytes(expected)


@pytest.mark.parametrize("lane", range(16))
@pytest.mark.parametrize("offset", [0, 5])
def test_lane_store_writes_one_byte(lane: int, offset: int, run: Run) -> None:
    ran = run(f"arset ar1, {offset}\nmovl m3[ar1], m2[0], {lane}\nhalt", m2=BYTES, m3=b"\xff" * 64)
    expected = bytearray(b"\xff" * 64)
    expected[offset + lane] = lane
    assert ran.engine.read("m3", 0, 64) == bytes(expected)


def test_lane_store_into_one_table_lane(run: Run) -> None:
    ran = run("arset ar1, 0x70\nmovl t1[ar1], m2[0], 9\nhalt", m2=BYTES, t1=b"\xee" * 4096)
    table = bytearray(b"\xee" * 4096)
    table[0x79] = 9
    assert ran.engine.read("t1", 0, 4096) == bytes(table)


def test_store_into_both_banks(run: Run) -> None:
    ran = run("mov t0:t1[0x30], m2[0x10]\nhalt", m2=BYTES)
    assert ran.row("t0", 3) == ran.row("t1", 3) == BYTES[16:32]


def test_register_and_memory_destination(run: Run) -> None:
    ran = run("mov {v3, m3[0x10]}, m2[0x20]\nmov m3[0], v3\nhalt", m2=BYTES)
    assert ran.row("m3", 0) == ran.row("m3", 1) == BYTES[32:48]


# Pattern, the register before, and after one access; step 0x28, window 0x100..0x140 and for -= 0x100, end 0x40.
PATTERNS = [
    ("ar0", 0x80, 0x80),
    ("ar0++", 0x80, 0x90),
    ("ar0--", 0x80, 0x70),
    ("ar0+=s", 0x80, 0xA8),
    ("ar0-=s", 0x80, 0x58),
    ("ar0+=s%", 0x80, 0xA8),
    ("ar0+=s%", 0x118, 0x100),  # reaches AddrEnd
    ("ar0+=s%", 0x117, 0x13F),  # stays below it
    ("ar0+=s%", 0x130, 0x100),  # passes it
    ("ar1-=s%", 0x80, 0x58),
    ("ar1-=s%", 0x68, 0x100),
    ("ar1-=s%", 0x69, 0x41),
    ("ar1-=s%", 0x50, 0x100),
]


@pytest.mark.parametrize(("pattern", "before", "after"), PATTERNS)
def test_addressing_pattern(pattern: str, before: int, after: int, run: Run) -> None:
    ar = pattern[:3]
    ran = run(
        f"""
        arset {ar}, {before}
        arstep {ar}, 0x28
        arwin ar0, 0x100, 0x140
        arwin ar1, 0x100, 0x40
        mov m3[0], m2[{pattern}]
        artov m3[0x10], {ar}
        halt
        """,
        m2=BYTES * 4,
    )
    assert ran.row("m3", 0) == (BYTES * 4)[before : before + 16]
    assert int.from_bytes(ran.row("m3", 1), "big") == after


@pytest.mark.parametrize("lane", range(8))
def test_lane_to_address_register(lane: int, run: Run) -> None:
    ran = run(f"vtoar ar5, m2[0x40], {lane}\nartov m3[0], ar5\nhalt", m2=BYTES)
    assert int.from_bytes(ran.row("m3"), "big") == int.from_bytes(BYTES[0x40 + 2 * lane : 0x42 + 2 * lane], "big")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("arset ar1, 0x1234", 0x1234),
        ("aradd ar1, ar0, 0x10", 0xFF10),
        ("aradd ar1, ar0, -1", 0xFEFF),
        ("aradd ar1, ar0, 0x200", 0x0100),  # modulo 2^16
        ("arand ar1, ar0, 0x0ff0", 0x0F00),
        ("arshr ar1, ar0, 4", 0x0FF0),
        ("arshr ar1, ar0, 15", 1),
    ],
)
def test_address_arithmetic(text: str, result: int, run: Run) -> None:
    ran = run(f"arset ar0, 0xff00\n{text}\nartov m3[0], ar1\nhalt")
    assert int.from_bytes(ran.row("m3"), "big") == result


@pytest.mark.parametrize("width", [32, 64, 128])
def test_counter_increments_its_width_only(width: int, run: Run) -> None:
    ran = run(f"ctrw {width}\nmov ctr, m2[0]\nmov m3[0], ctr++\nmov m3[0x10], ctr\nhalt", m2=b"\xff" * 16)
    assert ran.row("m3", 0) == b"\xff" * 16
    assert ran.row("m3", 1) == b"\xff" * (16 - width // 8) + bytes(width // 8)


# Around every carry: the bits below it all ones but for the lowest or the highest, what is above it odd or even.
@pytest.mark.parametrize("width", [32, 64, 128])
@pytest.mark.parametrize("bits", [8, 32, 64, 96])
@pytest.mark.parametrize("spoil", ["none", "lowest", "highest"])
@pytest.mark.parametrize("above", [0, 1])
def test_counter_carries_where_all_below_is_ones(width: int, bits: int, spoil: str, above: int, run: Run) -> None:
    start = (1 << bits) - 1 ^ {"none": 0, "lowest": 1, "highest": 1 << bits - 1}[spoil] | above << bits
    ran = run(f"ctrw {width}\nmov ctr, m2[0]\nmov m3[0], ctr++\nmov m3[0x10], ctr\nhalt", m2=start.to_bytes(16, "big"))
    kept = start >> width << width
    assert int.from_bytes(ran.row("m3", 1), "big") == kept | (start + 1) % (1 << width)


@pytest.mark.parametrize("byte", range(16))
def test_compare_sees_every_byte(byte: int, run: Run) -> None:
    other = bytearray(BYTES[:16])
    other[byte] ^= 0x10
    source = """
        mov v0, m2[0]
        cmp v0, m2[{row}]
        bf .L_equal
        mov m3[0], m2[0]
.L_equal:
        halt
    """
    data = BYTES[:16] + bytes(other)
    assert run(source.format(row="0x10"), m2=data, m3=bytes(16)).row("m3") == BYTES[:16]
    assert run(source.format(row="0x00"), m2=data, m3=bytes(16)).row("m3") == bytes(16)


def test_a_record_has_the_addresses_of_all_accesses(run: Run) -> None:
    ran = run("arset ar0, 0x25\narset ar1, 0x30\naesencl m3[ar1++], v1, m0[0x40], m2[ar0++]\nmov v0, v1\nhalt")
    ran.engine.start(0)
    _, _, access, move, _ = ran.engine.records()
    assert (access.raw["key"], access.raw["data"], access.raw["store"][1]) == (0x40, 0x25, 0x30)
    assert access.effects()[:2] == ["key@0x0040", "data@0x0025"]
    assert not {"key", "data", "store"} & move.raw.keys()
