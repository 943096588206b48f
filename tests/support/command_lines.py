"""Random command lines from the commands' own declarations, so that a new command or option is among them by itself."""

from __future__ import annotations

import functools
import itertools
import random
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lutra.cli.main import tree
from lutra.firmware.manifest import SOURCES

# Key of arguments without an option.
ARGUMENT = ""
# Outputs of a command; every other file is read. An option that writes is added here.
OUTPUTS = {
    "asm": {"-o", "--listing", "-MF"},
    "fmt": {ARGUMENT},
    "optimize": {"-o"},
    "image": {"-o"},
    "run": {"--dump", "--trace", "--wave"},
    "profile": {"--annotate", "--html", "--svg", "--speedscope", "--perfetto", "--konata", "--lcov"},
    "campaign run": {"--out", "--junit", "--coverage"},
    "campaign merge": {"--out", "--junit"},
    "coverage": {"-o", "--out", "--page"},
    "crypt": {ARGUMENT},
    "packets": {ARGUMENT},
    "kat": {"--coverage", "--lcov"},
    "bench": {"--page", "--cipher-page"},
    "new": {ARGUMENT, "--into"},
    "test": {"--junit", "--lcov"},
    "prove": {"--counterexample"},
    "pack key": {ARGUMENT},
    "pack build": {"-o"},
    "pack sign": {"-o", ARGUMENT},
    "pack test": {"--coverage"},
    "pack root create": {"-o"},
    "pack root rotate": {"-o", ARGUMENT},
    "pack root sign": {"-o", ARGUMENT},
    "device create": {ARGUMENT},
    "device boot": {"--device"},
    "device run": {ARGUMENT, "--device"},
    "patch apply": {"--device"},
    "patch confirm": {"--device"},
    "patch revert": {"--device"},
}
# Files kept when a command fails (docs/programmers-manual/04-command-line.md).
KEPT = {
    # The files without an error are formatted.
    "fmt": {ARGUMENT},
    "run": {"--trace", "--wave"},
    "profile": {"--annotate", "--html", "--svg", "--speedscope", "--perfetto", "--konata", "--lcov"},
    "coverage": {"-o", "--out", "--page"},
    "kat": {"--coverage", "--lcov"},
    "campaign run": {"--out", "--junit", "--coverage"},
    "campaign merge": {"--out", "--junit"},
    "test": {"--junit", "--lcov"},
    "pack test": {"--coverage"},
    # They boot a device that is off.
    "device run": {"--device"},
    "patch apply": {"--device"},
    "patch revert": {"--device"},
}
# Work that would take long, made short where nothing else is drawn.
SHORT = {
    "run": ("--max-cycles", "2000"),
    "debug": ("--max-cycles", "2000", "--batch"),
    "profile": ("--max-cycles", "2000"),
    "campaign run": ("--seeds", "0:1"),
    "bench": ("--cipher", "aes-128-ctr"),
    # Without these, all installed images are assembled, which takes seconds.
    "ciphers": ("--manifest", str(SOURCES / "zuc")),
    "kat": ("vectors.json",),
    "demo": ("--none", ""),
    "ppa": ("--module", "none"),
    "prove": ("aes-128-cbc",),
    "optimize": ("--seconds", "1"),
}
# These read without a limit, and reading /dev/full never ends.
ENDLESS = {"crc", "crypt"}
WORDS = ("", "x", "0", "-", "--", "=", "@", ":", "é", "no\udcff", "a\nb", "9" * 5000, "0x10", "m0", "aes-128-ctr")
FILES = (
    *("program.s", "program.elf", "damaged.elf", "blocks", "odd", "empty", "counts.json", "vectors.json"),
    "capture.pcap",
    *("deep.json", "report.json", "weights.json", "firmware.toml", "link", "hard", "folder", "folder/inner.json"),
    *("small.pack", "vendor.roots", "root.pem", "pack.pem", "pack.pub"),
    *("dev", "dev/flash.bin", "dev/device.json", "newer.pack"),
    *("none", "none/none", "new", "other", "./new", "no\udcff", "new\n", "-", "/dev/null", "/dev/full", "fifo"),
)
KEY = "000102030405060708090a0b0c0d0e0f"
HEX = (KEY, KEY, KEY + KEY, KEY[:24], "", "0", "00", "1021", "ffff", "0x", "xy", "00000000")
SPACES = ("m0", "m2", "m3", "t0", "pm", "m9", "key")
NAMES = (
    *("aes-128-ctr", "aes-128-cbc", "aes-128-ecb", "aes-128-gcm", "aria-128-ccm", "128-eea2", "zuc-128"),
    *("aes-128-cmac", "128-eia2", "uia2", "crc-32", "crc-16", "crc-33", "aes-128-ctx", "baseline", "fused", "loops"),
)
# By the option, where its own declaration does not say what it takes.
VALUES: dict[str, tuple[str, ...]] = {
    "--trace-from": ("start", "start+1", "99999", "cycle:8", "cycle:x", "x", ""),
    "--trace-to": ("start", "cycle:8", "cycle:", "x", ""),
    "--trace-only": ("mov", "(", ""),
    "--max-cycles": ("1", "7", "3000", "-1", "x"),
    "--seeds": ("0:1", "3:4", "5:5", "5", "x:y", "", f"0:{'9' * 5000}"),
    "--jobs": ("1", "0", "257", "x"),
    # A scheduler that is not there is waited for.
    "--scheduler": ("x:y:z",),
    "--entry": ("start", "pause", "spin", "underflow", "none", "", "no\udcff"),
    "-D": ("A=1", "A", "=", "A=x", "A=-5", f"A={'9' * 5000}", "1=1"),
    "-I": ("folder", "none", "program.s"),
    "--mode": ("loops", "loop", ""),
    "--weights": ("near=1", "near=-1", "near=x", "x=1", "weights.json", "deep.json", "none", "="),
    "--aad": ("00", "0", "@odd", "@none", "@folder", "@", ""),
    "--device": ("dev", "dev", "dev", "folder", "none", "odd", "", "no\udcff"),
    "--slot-bytes": ("4096", "0x2000", "0", "5000", "x", "9" * 5000),
    "-c": ("step", "continue", "reverse-continue", "p v0", "break spin", "frob", "", "source odd", "no\udcff", "quit"),
    "--max-seconds": ("1", "0", "x"),
    "--max-memory": ("256", "2000", "1", "x"),
    "--test": ("1", "2", ""),
    "--against": ("installed", "firmware.toml", "folder", "none", ""),
    "what": ("aes-128-cbc", "aes-128-gcm", "aes-128-ctx", "firmware.toml", "folder", "none", "", "no\udcff"),
    "mnemonic": ("aesenc2", "nothing", "", "XOR"),
}


# Lines that work; a command without one is drawn from its declaration alone.
GOOD = (
    "asm program.s -o new",
    "asm program.s -o new --listing other",
    "asm program.s -o new -MD -W error",
    "fmt program.s",
    "fmt --check program.s folder",
    "fmt --diff folder",
    "fmt -",
    "objdump program.elf",
    "image program.elf --format c -o new",
    "image program.s --format json",
    "image program.elf --format hex -o new",
    "image program.elf --format lanes -o folder",
    "run program.elf",
    "run program.s --json",
    "run program.elf --load m2@0=blocks --dump m3@0:16=new --trace other",
    "run program.elf --engine cosim --wave new --dump pm@0:8=other",
    "run program.elf --entry start --entry pause --registers --trace - --trace-format jsonl",
    "run program.elf --dump m3@0:16=hex:new --load m2@0=hex:00ff --json",
    "run program.elf --entry spin --trace new --max-cycles 100",
    "debug program.elf --entry start --load m2@0=blocks --batch",
    "debug program.s --entry start -c step -c quit",
    "debug --kat vectors.json --test 1 --engine rtl --batch",
    "dap",
    "run program.s --trace new --trace-from cycle:3 --trace-to start+2",
    "profile program.s --html new --annotate other",
    "profile program.elf --engine cosim --load m2@0=blocks --speedscope new --json",
    "profile program.elf --entry pause --resume --perfetto new --konata other --from 3 --window 2",
    "profile program.elf --entry spin --lcov new --svg other --top 3",
    "profile --cipher aes-128-ctr --decrypt --bytes 32 --annotate -",
    "cosim program.elf",
    "campaign run --seeds 0:1 --mode loops --coverage new",
    "campaign merge report.json --junit new",
    "coverage counts.json -o new --page other",
    "coverage counts.json --holes --json",
    f"crypt --cipher aes-128-ctr --key {KEY} --iv {KEY} odd new",
    f"crypt --cipher aes-128-cbc --key {KEY} --iv {KEY} --pad odd -",
    f"crypt --cipher aes-128-ecb --key {KEY} --engine rtl --json blocks new",
    f"crypt --cipher aes-128-gcm --key {KEY} --iv {KEY[:24]} --aad @blocks odd new",
    f"packets capture.pcap new --spi 0x1000 --key {KEY}00000000 --tunnel ::1,::2",
    f"packets capture.pcap - --spi 0x1000 --key {KEY}00000000 --decrypt --json",
    f"packets capture.pcap new --protocol srtp --cipher aes-cm-sha1-80 --port 9 --key {KEY}{KEY[:28]}",
    f"packets capture.pcap - --protocol pdcp --cipher nea1 --integrity nia3 --bearer 1 --direction 0 --key {KEY * 2}",
    f"packets capture.pcap new --protocol pdcp --cipher nca5 --bearer 1 --direction 0 --key {KEY * 2}",
    f"packets capture.pcap new --protocol macsec --sci {KEY[:16]} --an 1 --key {KEY}",
    f"crypt --cipher 128-eea2 --key {KEY} --count 00000000 --bearer 1 --direction 0 --bits 9 odd odd",
    f"mac --algorithm aes-128-cmac --key {KEY} odd",
    f"mac --algorithm zuc-256-mac-32 --key {KEY}{KEY} --iv {KEY}{KEY[:18]} --bits 9 odd",
    f"mac --algorithm 128-eia3 --key {KEY} --count 00000000 --bearer 1 --direction 0 --bits 9 --json odd",
    "crc odd",
    "crc --width 16 --poly 1021 --init ffff --reflected fifo",
    "ciphers --json",
    "kat vectors.json --coverage new",
    "kat vectors.json folder --limit 1 --engine cosim",
    "bench --cipher aes-128-ctr --json",
    "isa aesenc2",
    "pack key new other",
    "pack inspect small.pack --json",
    "pack verify small.pack --roots vendor.roots",
    "pack sign small.pack --roots vendor.roots --key pack.pem -o new",
    "pack sign small.pack --roots vendor.roots --key pack.pem",
    "pack test small.pack --engine cosim --coverage new",
    "pack diff small.pack small.pack",
    "pack root show vendor.roots",
    "pack root create --root-key pack.pub --pack-key root.pem -o new",
    "pack root rotate vendor.roots --add-pack-key root.pem -o new",
    "pack root sign vendor.roots --key root.pem",
    "device create new --roots vendor.roots --rounds 1 --slot-bytes 4096",
    "device show --device dev --json",
    "device boot --device dev --engine rtl",
    f"device run --device dev --cipher otter-128-ctr --key {KEY} --iv {KEY} blocks new",
    "patch apply newer.pack --device dev",
    "patch apply newer.pack --device dev --engine cosim --no-confirm --json",
    "patch apply small.pack --device dev",
    "patch confirm --device dev",
    "patch revert --device dev",
    "patch status --device dev --json",
)


@functools.cache
def commands() -> dict[str, Any]:
    """All commands by their names, those of a group with its name before: `patch apply`."""
    return dict(_commands(tree(), ""))


def _commands(group: Any, before: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before}{name} ")
        else:
            yield before + name, command


def name_of(line: list[str]) -> str:
    """The command of a line, or the first word of one that has none."""
    return next((name for name in commands() if line[: len(name.split())] == name.split()), line[0])


def command_line(rng: random.Random) -> list[str]:
    """One command line: from a line that works by some changes, or from the declaration of a command alone."""
    if rng.random() < 0.02:
        return [rng.choice((*WORDS, "--version", "--help", "frobnicate"))]
    name = rng.choice(list(commands()))
    good = [line.removeprefix(name).split() for line in GOOD if line.startswith(f"{name} ")]
    line = _changed(name, rng.choice(good), rng) if good and rng.random() < 0.7 else _drawn(name, rng)
    if (short := SHORT.get(name)) and short[0] not in line:
        line = [*short, *line]
    if name in ENDLESS:
        line = [word.replace("/dev/full", "/dev/null") for word in line]
    return [*name.split(), *line]


def _drawn(name: str, rng: random.Random) -> list[str]:
    line: list[str] = []
    for param in rng.sample(commands()[name].params, len(commands()[name].params)):
        if rng.random() < (0.97 if param.required else 0.2):
            for _ in range(rng.choice((1, 1, 2)) if param.multiple or param.nargs != 1 else 1):
                line += _written(param, rng)
    if rng.random() < 0.05:
        line.insert(rng.randrange(len(line) + 1), rng.choice((*WORDS, "--nothing", "-x")))
    return line


def _changed(name: str, line: list[str], rng: random.Random) -> list[str]:
    for _ in range(rng.choice((0, 1, 1, 2))):
        change, at = rng.random(), rng.randrange(len(line) + 1)
        if change < 0.45:
            line = [*_written(rng.choice(commands()[name].params), rng), *line]
        elif change < 0.55:
            line = line[:at] + line[at + 1 :]
        else:
            values = [n for n, word in enumerate(line) if not word.startswith("-")]
            if values:
                at = rng.choice(values)
                left, sign, _ = line[at].rpartition("=")
                line = [*line[:at], left + sign + rng.choice((*FILES, *FILES, *WORDS)), *line[at + 1 :]]
    return line


def _written(param: Any, rng: random.Random) -> list[str]:
    value = _value(param, rng)
    if param.param_type_name == "argument":
        return [value]
    option = rng.choice(param.opts)
    return [option] if param.is_flag else [option, value]


def _value(param: Any, rng: random.Random) -> str:
    if rng.random() < 0.06:
        return rng.choice(WORDS)
    for name in param.opts:
        if name in VALUES:
            return rng.choice(VALUES[name])
    kind, metavar = _kind(param.type_descriptor.annotation), param.metavar or ""
    if typing.get_origin(kind) is typing.Literal:
        return str(rng.choice((*typing.get_args(kind), *typing.get_args(kind), "wrong")))
    if kind is int:
        low, high = (0 if bound is None else bound for bound in (param.min, param.max))
        return str(rng.choice((low, high, low + 1, low - 1, high + 1, 8, 16, 64, 10**30)))
    if "PLACE" in metavar:
        place = f"{rng.choice(SPACES)}@{rng.choice(('0', '0x10', '3', '4096', 'x'))}"
        length = f":{rng.choice(('16', '8', '0', '5', '99999', 'x'))}" if "LEN" in metavar else ""
        return f"{place}{length}={rng.choice(('', '', '', 'hex:'))}{rng.choice((*FILES, KEY))}"
    if "HEX" in metavar:
        return rng.choice(HEX)
    return rng.choice(NAMES if kind is str else FILES)


def _kind(annotation: Any) -> Any:
    """Return T for `list[T] | None`."""
    while typing.get_origin(annotation) in (types.UnionType, typing.Union, list):
        annotation = next(a for a in typing.get_args(annotation) if a is not type(None))
    return annotation


def option_of(name: str, word: str) -> str:
    """Parameter of a command for the option that is written so; None if it is not an option."""
    params = commands()[name].params if name in commands() and word.startswith("-") else []
    return next((str(p.name) for p in params if word in p.opts), "")


def file_of(word: str) -> Path:
    """The file in a word such as `m2@0=FILE`, `m3@0:16=hex:FILE` or `@FILE`."""
    return Path(word.rpartition("=")[2].removeprefix("hex:").removeprefix("@"))


def written(line: list[str], options: set[str]) -> Iterator[Path]:
    """The files that options of a line name, and any word where an argument is written to."""
    for option, value in itertools.pairwise(line):
        if option in options:
            path = file_of(value)
            yield path
            if "-MD" in line and path.name:
                yield path.with_suffix(".d")
    if ARGUMENT in options:
        for word in line[1:]:
            yield Path(word)
            if name_of(line) == "pack key":
                yield from (Path(word + suffix) for suffix in (".pem", ".pub"))
