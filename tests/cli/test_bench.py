"""`lutra bench`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lutra.firmware import bench
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import make
from support.cli import Lutra

KEYS = {
    "cipher",
    "variant",
    "engine",
    "unit",
    "units",
    "steady_cycles_per_unit",
    "all_in_cycles_per_unit",
    "bound_cycles_per_unit",
    "message",
    "setup_cycles",
    "code_words",
    "literature",
    "hardware",
}


def test_bench_json_has_the_keys_of_the_contract(lutra: Lutra) -> None:
    objects = lutra("bench", "--json", "--cipher", "aes-128-ctr", "--cipher", "aes-256-cbc").json
    assert [(o["cipher"], o["variant"]) for o in objects] == [
        ("aes-128-ctr", "fused"),
        ("aes-128-ctr", "baseline"),
        ("aes-256-cbc", "single-stream"),
        ("aes-256-cbc", "fused-decrypt"),
    ]
    for found in objects:
        assert found.keys() == KEYS
        assert (found["engine"], found["unit"], found["units"]) == ("rtl", "block", 256)
        assert found["setup_cycles"].keys() == {"tables", "key_schedule"}
    assert [o["bound_cycles_per_unit"] for o in objects] == [5, 11, 14, 7]
    assert objects[0]["literature"]["cycles_per_unit"] == 11
    assert objects[2]["literature"] is None


def test_the_simulator_adds_its_own_speed(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    (fused, baseline) = lutra("bench", "--json", "--cipher", "aes-128-ctr", "--engine", "iss").json
    assert fused.keys() == KEYS | {"mips", "gbit_per_second"}
    assert fused["mips"] > 0 < baseline["gbit_per_second"]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_the_speed_of_a_simulator_is_that_of_the_long_job(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short job measures what its start costs."""
    timed: list[int] = []

    def speed(session: Session) -> None:
        timed.append(session.run().cycles)

    monkeypatch.setattr(bench, {"iss": "_speed", "cosim": "_lock_step"}[engine], speed)
    (found,) = bench.measure([catalogue().cipher("aes-128-cbc-x2")], engine)
    assert timed == [round(found.all_in * found.units)]


def test_the_mips_of_bench_are_those_of_a_direct_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.2)
    cipher = catalogue().cipher("aes-128-ctr")
    (found,) = bench.measure([cipher], "iss", ["fused"])
    session = Session(make("iss"))
    session.set_up(cipher, "encrypt", cipher.any_key, bytes(cipher.iv_bytes))
    session.put(bytes(session.job_bytes))
    session.run()
    instructions, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < bench.SECONDS:
        instructions += session.repeat(100)
    assert found.speed
    assert 0.5 < found.speed.mips / (instructions / elapsed / 1e6) < 2
    assert round(found.speed.gbits / found.speed.mips, 6) == round(
        8 * session.job_bytes / session.run().instructions / 1e3, 6
    )


@pytest.mark.parametrize(
    ("cipher", "aad", "decrypt"),
    [
        ("aes-128-gcm", 0, False),
        ("aes-128-gcm", 13, False),
        ("aes-256-gcm", 13, True),
        ("aes-128-ccm", 8, False),
        ("aes-128-siv", 5, False),
        ("aes-128-gcm-siv", 5, True),
        ("aes-128-ocb", 20, True),
        ("ascon-aead128", 13, False),
        ("aes-128-cbc-cts", 0, False),
        ("aes-128-wrap", 0, True),
        ("snow3g", 0, False),
        ("aes-128-ctr", 0, False),
    ],
)
def test_a_message_costs_what_crypt_says(
    cipher: str, aad: int, decrypt: bool, lutra: Lutra, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Begin, associated data, text and tag: the counters of the session that really does it."""
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    lines = lutra("bench", "--cipher", cipher, "--engine", "iss", "--aad", aad, "--json", "--bytes", 64).json
    used = [o for o in lines if o["variant"].endswith("-decrypt") == decrypt and o["variant"] != "baseline"]
    (said,) = {o["message"]["cycles"] for o in used}
    algorithm = catalogue().cipher(cipher)
    Path("text").write_bytes(bytes(64))
    nonce = {"siv": 0, "gcm": 12, "ccm": 12}.get(algorithm.kind.name, max(algorithm.iv_bytes, algorithm.nonce_bytes[0]))
    options = ["--cipher", cipher, "--key", algorithm.any_key.hex(), "--json"]
    options += ["--iv", bytes(nonce).hex()] if nonce and not algorithm.wraps_keys else []
    options += ["--aad", bytes(aad).hex()] if aad else []
    found = lutra("crypt", *options, "text", "sealed").json
    if decrypt:
        found = lutra("crypt", *options, "--decrypt", "sealed", "opened").json
        assert Path("opened").read_bytes() == bytes(64)
    assert said == found["cycles"]


def test_a_message_of_a_mac_costs_what_mac_says(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    (found,) = lutra("bench", "--cipher", "aes-128-cmac", "--bytes", 61, "--engine", "iss", "--json").json
    Path("text").write_bytes(bytes(61))
    said = lutra("mac", "--algorithm", "aes-128-cmac", "--key", bytes(16).hex(), "--json", "text").json
    assert found["message"] == {"bytes": 61, "aad_bytes": 0, "cycles": said["cycles"]}


def test_a_message_that_an_algorithm_does_not_take_has_no_cycles(lutra: Lutra) -> None:
    for options in (["--bytes", 61], ["--aad", 13]):
        (found,) = lutra("bench", "--cipher", "aes-256-ecb", "--variant", "fused", *options, "--json").json
        assert found["message"]["cycles"] is None
    text = lutra("bench", "--cipher", "aes-256-ecb", "--variant", "fused", "--bytes", 61, "--aad", 13).out
    assert text.startswith("cipher       variant  steady  all-in  61 bytes + 13  published")


def test_the_lock_step_retires_100000_instructions_per_second(lutra: Lutra) -> None:
    for found in lutra("bench", "--json", "--cipher", "aes-128-ctr", "--engine", "cosim").json:
        assert found.keys() == KEYS | {"lock_step_instructions_per_second"}
        assert found["lock_step_instructions_per_second"] >= 100_000


@pytest.mark.parametrize(
    "cipher", ["aes-256-gcm", "camellia-128-ctr", "zuc-128-x2", "chacha20", "rc4-128-x16", "crc-32"]
)
def test_simulator_and_core_measure_the_same(cipher: str, lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each way to spend cycles; in lock-step they are compared at every retirement of every test."""
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    cycles = [
        [(o["steady_cycles_per_unit"], o["all_in_cycles_per_unit"], o["setup_cycles"]) for o in objects]
        for objects in (
            lutra("bench", "--json", "--cipher", cipher, "--engine", engine).json for engine in ("rtl", "iss")
        )
    ]
    assert cycles[0] == cycles[1]


def test_bench_table_has_the_published_figure_beside_ours(lutra: Lutra) -> None:
    text = lutra("bench", "--cipher", "aes-128-ctr").out
    assert text.splitlines()[0].split()[:5] == ["cipher", "variant", "steady", "all-in", "64"]
    assert "published: CP-ASIP" in text


def test_the_baseline_takes_the_published_cycles(lutra: Lutra) -> None:
    found = lutra("bench", "--variant", "baseline", "--json").json
    assert {o["variant"] for o in found} == {"baseline"}
    published = {o["cipher"]: o["literature"]["cycles_per_unit"] for o in found if o["literature"]}
    assert {"aes-128-ecb", "aria-128-ecb", "camellia-128-ecb", "snow3g", "zuc-128"} <= published.keys()
    assert {o["cipher"]: o["steady_cycles_per_unit"] for o in found if o["literature"]} == published


def test_crc_takes_sixty_four_bits_per_cycle(lutra: Lutra) -> None:
    (found,) = lutra("bench", "--cipher", "crc-32", "--json").json
    assert (found["unit"], found["units"], found["steady_cycles_per_unit"]) == ("byte", 4072, 0.125)
    assert found["all_in_cycles_per_unit"] <= 0.125 * 1.05
    assert "0.125" in lutra("bench", "--cipher", "crc-32").out


def test_switching_takes_set_up_and_host_accesses(lutra: Lutra) -> None:
    names = ("aes-128-ctr", "zuc-128", "128-eea3", "crc-32")
    document = lutra("bench", "--switch", "--json", *(f"--cipher={n}" for n in names)).json
    found = {(s["from"], s["to"]): s for s in document["switches"]}
    assert set(found) == {(a, b) for a in names for b in names if a != b}
    for s in found.values():
        assert s["cycles"] == s["host_port"] + s["tables"] + s["key_schedule"] + s["start"]
    measured = lutra("bench", "--json", *(f"--cipher={n}" for n in names)).json
    setup = {o["cipher"]: o["setup_cycles"] for o in reversed(measured)}  # of the first variant
    for source in ("zuc-128", "crc-32"):
        to_aes = found[source, "aes-128-ctr"]
        assert (to_aes["tables"], to_aes["key_schedule"]) == tuple(setup["aes-128-ctr"].values())
    # Tables of a CRC come by the host port, two banks; images that are there are not loaded again.
    assert found["zuc-128", "crc-32"]["host_port"] > 512
    assert found["zuc-128", "crc-32"]["tables"] == 0
    again = found["zuc-128", "128-eea3"]
    assert (again["tables"], again["start"]) == (0, setup["128-eea3"]["key_schedule"])
    assert again["host_port"] < 10
    text = lutra("bench", "--switch", "--cipher", "aes-128-ctr", "--cipher", "zuc-128").out
    assert text.splitlines()[1].split() == ["aes-128-ctr", "-", str(found["aes-128-ctr", "zuc-128"]["cycles"])]


def test_bench_prints_what_is_published_of_designs(lutra: Lutra) -> None:
    (found,) = lutra("bench", "--cipher", "snow2-128", "--json").json
    assert [h["bits_per_cycle"] for h in found["hardware"]] == [32]
    text = lutra("bench", "--cipher", "snow2-128", "--cipher", "snow2-256").out
    assert text.endswith(f"\nsnow2-128, snow2-256: 32 bits per cycle, {found['hardware'][0]['source']}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "baselines"], "no variant 'baselines'; did you mean baseline?"),
        (["--cipher", "snow3g", "--variant", "x"], "no variant 'x'; choose from one-stream, baseline"),
        (["--switch", "--cipher", "snow3g"], "--switch needs two algorithms"),
        (["--switch", "--engine", "iss"], "--switch measures clock cycles of the core"),
        (["--switch", "--variant", "baseline"], "leave out --variant"),
        (["--page", "b.md", "--cipher", "snow3g"], "a page has every row"),
        (["--page", "b.md", "--aad", "13"], "a page has every row"),
        (["--switch", "--bytes", "13"], "leave out --variant, --engine, --bytes and --aad"),
        (["--page", "b.md", "--engine", "iss"], "pages are written from the core's counters; leave out --engine"),
        (["--cipher-page", "b.md", "--switch"], "a page has every row"),
        (["--page", "b.md", "--cipher-page", "./b.md"], "--cipher-page b.md: is the same file as --page"),
        (["--check"], "--check compares a page; name it with --page or --cipher-page"),
    ],
)
def test_wrong_arguments_of_bench_are_one_line(arguments: list[str], message: str, lutra: Lutra) -> None:
    result = lutra("bench", *arguments)
    assert result.code == 2
    assert message in result.error


def test_an_unknown_cipher_suggests_the_nearest(lutra: Lutra) -> None:
    assert "did you mean aes-128-ctr?" in lutra("bench", "--cipher", "aes-128-ct").error
