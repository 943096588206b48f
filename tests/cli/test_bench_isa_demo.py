"""`lutra bench`, `lutra ciphers`, `lutra isa` and `lutra demo`."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from lutra.cli import bench_page, cipher_page
from lutra.cli.errors import CliError
from lutra.firmware import bench, switch
from lutra.firmware.ciphers import Cipher, Literature
from lutra.firmware.literature import Document
from lutra.firmware.manifest import catalogue
from lutra.firmware.manifest import load as load_manifest
from lutra.firmware.schema import convert
from lutra.firmware.session import Session
from lutra.isa import load
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
    assert objects[0]["literature"]["cycles_per_unit"] == 11
    assert objects[2]["literature"] is None


def test_the_simulator_adds_its_own_speed(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MIPS_SECONDS", 0.01)
    (fused, baseline) = lutra("bench", "--json", "--cipher", "aes-128-ctr", "--engine", "iss").json
    assert fused.keys() == KEYS | {"mips_functional", "mips_cycle_exact"}
    assert fused["mips_functional"] > 0 < baseline["mips_cycle_exact"]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_the_speed_of_a_simulator_is_that_of_the_long_job(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short job measures what its start costs."""
    timed: list[int] = []

    def mips(session: Session, exact: bool) -> float:
        timed.append(session.run().cycles)
        return 1.0

    monkeypatch.setattr(bench, "_mips", mips)
    (found,) = bench.measure([catalogue().cipher("aes-128-cbc-x2")], engine)
    assert timed and set(timed) == {round(found.all_in * found.units)}


def test_the_mips_of_bench_are_those_of_a_direct_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MIPS_SECONDS", 0.2)
    cipher = catalogue().cipher("aes-128-ctr")
    (found,) = bench.measure([cipher], "iss", ["fused"])
    session = Session(make("iss"))
    session.set_up(cipher, "encrypt", cipher.any_key, bytes(cipher.iv_bytes))
    session.put(bytes(session.job_bytes))
    assert found.speed
    for exact, said in ((False, found.speed.functional), (True, found.speed.cycle_exact)):
        session.exact = exact
        instructions, start = 0, time.process_time()
        while (elapsed := time.process_time() - start) < bench.MIPS_SECONDS:
            instructions += session.run().instructions
        assert 0.5 < said / (instructions / elapsed / 1e6) < 2


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
    monkeypatch.setattr(bench, "MIPS_SECONDS", 0.0)
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
    monkeypatch.setattr(bench, "MIPS_SECONDS", 0.0)
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
    monkeypatch.setattr(bench, "MIPS_SECONDS", 0.0)
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


SHORT = bench.Message()
RESULT = bench.Result(
    "otter-128-ctr", "fused", "rtl", "block", 256, 6.0, 6.0625, SHORT, 43, 267, 15, 11, None, None, None
)


def test_a_page_has_a_row_per_result_and_check_names_what_differs(tmp_path: Path) -> None:
    text = bench_page.page([RESULT], [switch.Switch("otter-128-ctr", "zuc-128", 497, 200, 60, 0)])
    assert "| otter-128-ctr | fused | block | 6.00 | 6.06 | 43 | - | 267 | 15 | 11 |" in text
    assert "| fused | two rounds per instruction |" in text and "six-streams" not in text
    page = tmp_path / "page.md"
    bench_page.settle({page: text}, check=False)
    bench_page.settle({page: text}, check=True)
    page.write_text(text.replace("6.06", "6.07"))
    with pytest.raises(CliError, match=r"page.md:\d+: is .*6\.07.*, measured .*6\.06"):
        bench_page.settle({page: text}, check=True)
    page.write_text(text + "\n")
    with pytest.raises(CliError, match="lines"):
        bench_page.settle({page: text}, check=True)


OTTER = """
cipher = "otter"
[defaults]
unit = "block"
key_bits = [128, 256]
[[algorithm]]
name = "otter-{bits}-ecb"
[[algorithm]]
name = "otter-{bits}-cbc"
[[algorithm]]
name = "otter-{bits}-cbc-x2"
[[algorithm]]
name = "otter-{bits}-cmac"
kind = "mac"
[[algorithm]]
name = "otter-{bits}-gcm"
kind = "gcm"
"""
VOLE = """
cipher = "vole"
[[algorithm]]
name = "vole"
unit = "word"
key_bits = [128]
"""


def cipher_rows(folder: Path, rates: dict[tuple[str, str], float], **published: Any) -> dict[str, list[list[str]]]:
    """Rows by heading of the page, of ciphers that take so many cycles per unit; `all_in` is a quarter more."""
    ciphers: list[Cipher] = []
    for name, manifest in (("otter", OTTER), ("vole", VOLE)):
        (folder / name).mkdir()
        (folder / name / "firmware.toml").write_text(manifest)
        (folder / name / f"{name}.s").touch()
        ciphers += load_manifest(folder / name / "firmware.toml")
    results = [
        dataclasses.replace(RESULT, cipher=cipher, variant=variant, steady=cycles, all_in=1.25 * cycles, **published)
        for (cipher, variant), cycles in rates.items()
    ]
    sections = cipher_page.page(results, ciphers).split("\n## ")[1:]
    return {
        title: [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        for title, *lines in map(str.splitlines, sections)
    }


def test_the_page_of_ciphers_has_the_fastest_variant_by_kind(tmp_path: Path) -> None:
    fast = {("otter-128-cmac", "fused"): 16.0, ("vole", "one-stream"): 2.0, ("vole", "baseline"): 4.0}
    rows = cipher_rows(tmp_path, fast | {("otter-128-gcm", "fused"): 8.0, ("otter-128-gcm", "fused-decrypt"): 16.0})
    heads = ["algorithm", "variant", "cycles per byte", "bits per cycle", "all-in"]
    assert rows == {
        "Stream ciphers": [[*heads, "published"], ["---"] * 6, ["vole", "one-stream", "0.5", "16", "12.8", "-"]],
        "Authenticated encryption and key wrap": [
            [*heads, "decryption", "published"],
            ["---"] * 7,
            ["otter-128-gcm", "fused", "0.5", "16", "12.8", "8", "-"],
        ],
        "MACs and CRCs": [
            [*heads, "published"],
            ["---"] * 6,
            ["otter-128-cmac", "fused", "1", "8", "6.4", "-"],
        ],
        "Sources": [],
    }


def test_algorithms_of_the_same_rates_share_a_row_with_those_of_several_messages(tmp_path: Path) -> None:
    rates = {
        ("otter-128-ecb", "fused"): 4.0,
        ("otter-128-ecb", "fused-decrypt"): 8.0,
        ("otter-128-cbc", "single-stream"): 8.0,
        ("otter-256-cbc", "single-stream"): 8.0,
        ("otter-128-cbc-x2", "two-streams"): 4.0,
        ("otter-256-cbc-x2", "two-streams"): 4.0,
        ("otter-256-cbc", "fused-decrypt"): 4.0,
    }
    heads, _, *rows = cipher_rows(tmp_path, rates)["Block ciphers"]
    assert heads[5:] == ["one message", "decryption", "published"]
    assert rows == [
        ["otter-128-ecb", "fused", "0.25", "32", "25.6", "32", "16", "-"],
        ["otter-128-cbc, otter-256-cbc", "two-streams", "0.25", "32", "25.6", "16", "32", "-"],
    ]


def test_a_figure_of_the_same_work_is_shown_in_bits_per_cycle(tmp_path: Path) -> None:
    same_work = Literature("Weasel: Mink, 2017", 10.0)
    rows = cipher_rows(tmp_path, {("otter-128-ecb", "fused"): 4.0}, literature=same_work)
    assert rows["Block ciphers"][-1][-1] == "12.8 (Weasel)"


def test_all_published_rates_of_a_design_are_shown_with_their_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[dict[str, Any]] = [
        {"paper": "a", "work": "Vole", "design": "Stoat", "algorithms": ["vole"], "bits_per_cycle": 11.6},
        {"paper": "b", "work": "Vole", "design": "Marten", "algorithms": ["vole"], "cycles_per_unit": 4},
    ]
    literature = {"papers": {"a": "2019", "b": "2020"}, "processors": {}, "figure": published}
    monkeypatch.setattr("lutra.firmware.literature.document", lambda: convert("", literature, Document))
    rates = {("vole", "one-stream"): 3.2}
    assert cipher_rows(tmp_path, rates)["Stream ciphers"][-1][-1] == "11.6 (Stoat) ▼, 8 (Marten)"
    published[1]["design"] = "Stoat"
    for name in ("otter", "vole"):
        shutil.rmtree(tmp_path / name)
    with pytest.raises(CliError, match=r"'Stoat: 2020' and 'Stoat: 2019' have the same text before the colon"):
        cipher_rows(tmp_path, rates)


def test_bench_prints_what_is_published_of_designs(lutra: Lutra) -> None:
    (found,) = lutra("bench", "--cipher", "snow2-128", "--json").json
    assert [h["bits_per_cycle"] for h in found["hardware"]] == [32]
    text = lutra("bench", "--cipher", "snow2-128", "--cipher", "snow2-256").out
    assert text.endswith(f"\nsnow2-128, snow2-256: 32 bits per cycle, {found['hardware'][0]['source']}\n")


def test_a_variant_without_its_meaning_has_no_page() -> None:
    with pytest.raises(CliError, match="has no explanation of the variant 'plain'"):
        bench_page.check_variants(["fused", "plain", "fused-decrypt"])


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


def test_every_cipher_is_listed(lutra: Lutra) -> None:
    names = [c.name for c in catalogue().ciphers]
    assert [line.split()[0] for line in lutra("ciphers").out.splitlines()] == names
    assert [c["name"] for c in lutra("ciphers", "--json").json] == names


def test_ciphers_of_openssl_are_listed_with_what_runs_and_its_cycles(lutra: Lutra) -> None:
    lines = lutra("ciphers", "--openssl").out.splitlines()
    rows = {name: rest for name, *rest in map(str.split, lines[1:-2])}
    assert rows["AES-128-CTR"] == ["aes-128-ctr", "0.312", "0.312"]
    assert rows["SM4-CBC"][0] == "sm4-128-cbc"
    assert rows["id-smime-alg-CMS3DESwrap"] == ["3des-192-wrap", "81.250", "28.625"]
    runs = sum(row[0] != "-" for row in rows.values())
    assert lines[-1] == f"{runs} of {len(rows)} run; cycles per byte are for a long message"
    objects = {o["openssl"]: o for o in lutra("ciphers", "--openssl", "--json").json}
    assert list(objects) == list(rows)
    assert objects["AES-128-CBC"] == {
        "openssl": "AES-128-CBC",
        "others": ["AES128"],
        "name": "aes-128-cbc",
        "encrypt_cycles_per_byte": 0.625,
        "decrypt_cycles_per_byte": 0.3125,
    }


def test_the_list_of_openssl_needs_openssl(lutra: Lutra, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lutra("ciphers", "--openssl", "--needs").code == 2
    monkeypatch.setenv("PATH", str(tmp_path))
    error = lutra("ciphers", "--openssl").error
    assert error.startswith("cannot run openssl: No such file or directory; install OpenSSL 3.0 or later")
    (tmp_path / "openssl").write_text("#!/bin/sh\necho 'list: Use -help for summary.' >&2\nexit 1\n")
    (tmp_path / "openssl").chmod(0o755)
    error = lutra("ciphers", "--openssl").error
    assert "lists no ciphers: list: Use -help for summary.; install OpenSSL" in error


def test_an_unknown_cipher_suggests_the_nearest(lutra: Lutra) -> None:
    assert "did you mean aes-128-ctr?" in lutra("bench", "--cipher", "aes-128-ct").error


def test_isa_lists_every_mnemonic_once_below_its_group(lutra: Lutra) -> None:
    out = lutra("isa").out
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and "  " in line.strip()]
    assert sorted(listed) == sorted(load().by_mnemonic)
    assert re.findall(r"^(\w+): ", out, re.M) == [*(g.name for g in load().groups), "sections"]


def test_isa_of_a_group_lists_its_instructions_only(lutra: Lutra) -> None:
    out = lutra("isa", "aria").out
    assert out.startswith("aria: ARIA") and "aria2l" in out and "aesenc2" not in out


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("hazards", "table0"),
        ("patterns", "ar+=s%"),
        ("traps", "call-stack-overflow"),
        ("sizes", "VectorRegs"),
        ("opcodes", "Free: "),
        ("spaces", "t0:t1"),
        ("states", "waiting"),
        ("datapath", "MixColumns"),
    ],
)
def test_isa_shows_a_section_of_the_reference(section: str, said: str, lutra: Lutra) -> None:
    assert said in lutra("isa", section).out
    assert said in json.dumps(lutra("isa", section, "--json").json)


def test_a_section_fits_a_terminal(lutra: Lutra) -> None:
    for section in ("hazards", "datapath", "retirement-record", "vector-operands"):
        assert all(len(line) <= 100 for line in lutra("isa", section).out.splitlines())


def test_isa_as_json_has_every_instruction_and_section(lutra: Lutra) -> None:
    found = lutra("isa", "--json").json
    assert sum(len(group["instructions"]) for group in found["groups"]) == len(load().instructions)
    assert {"hazards", "patterns", "traps", "sizes"} <= set(found["sections"])
    assert found["sections"]["sizes"][0]["body"][0][0].keys() == {"size", "value"}
    assert lutra("isa", "xor", "--json").json[0]["mnemonic"] == "xor"


@pytest.mark.parametrize("mnemonic", ["aesenc2", "repeat", "AESENC2"])
def test_isa_shows_an_entry(mnemonic: str, lutra: Lutra) -> None:
    assert lutra("isa", mnemonic).out.startswith(mnemonic.lower())


def test_isa_suggests_the_nearest(lutra: Lutra) -> None:
    assert lutra("isa", "aesenc3").error.startswith("no instruction, group or section 'aesenc3'; did you mean 'aesenc")
    assert "did you mean 'hazards'?" in lutra("isa", "hazard").error


@pytest.mark.skipif(shutil.which("openssl") is None, reason="the comparison needs the openssl command")
def test_demo_compares_with_openssl(lutra: Lutra) -> None:
    Path("README.md").write_text("An otter.\n" * 100)
    result = lutra("demo")
    assert result.code == 0, result.err
    assert "README.md: equal to `openssl enc -aes-128-ctr`" in result.out
    assert "generated data: equal to `openssl enc -aes-128-ctr`" in result.out
    assert "published" in result.out


def test_demo_says_what_it_leaves_out(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    result = lutra("demo")
    assert result.code == 0
    assert "no README.md in this folder: skipped" in result.out
    assert "results are NOT compared" in result.out
    assert "equal to" not in result.out
