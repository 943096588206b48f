"""`lutra dap` under the fuzzer: sessions as an editor has them, and every request that the adapter knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from protocol_fuzz import installed
from protocol_fuzz.framing import Message
from protocol_fuzz.target import Target

PROGRAM = Path(__file__).with_name("program.s")
PROBE = 1 << 30
LINES = len(PROGRAM.read_text().splitlines())
EXPRESSIONS = ("v0", "v1.w[2]", "ar0", "m0[0x10]", "rows", "m0[rows:64]", "pc", "cycle + 1", "v0 == v1", "nothing", "(")
COMMANDS = (
    "step",
    "step 100",
    "step 1000000000",
    "continue 1000000000",
    "stepi 1000000000",
    "reverse-step",
    "next",
    "continue",
    "reverse-continue",
    "break body",
    "watch v1",
    "delete 1",
    "info registers",
    "print v0",
    "set v0 = hex:00",
    "last v1",
    "history v1",
    "backtrace",
    "list",
    "disassemble",
    "help",
    "restart",
    "quit",
    "",
    "no command",
)

Draw = Callable[[Random], dict[str, Any]]


def _source(rng: Random) -> dict[str, Any]:
    return rng.choice([{"path": str(PROGRAM)}, {"path": "/nowhere.s"}, {"sourceReference": rng.randrange(3)}])


def _line(rng: Random) -> int:
    return rng.randrange(LINES + 3)


def _points(rng: Random, of: Draw) -> dict[str, Any]:
    """Breakpoints with conditions of all kinds."""
    points = []
    for _ in range(rng.randrange(4)):
        point = of(rng)
        if rng.random() < 0.3:
            point["condition"] = rng.choice(EXPRESSIONS)
        if rng.random() < 0.2:
            point["hitCondition"] = rng.choice(["3", ">= 2", "> 1", "% 2", "x"])
        if rng.random() < 0.2:
            point["logMessage"] = rng.choice(["here {v0}", "{", "{nothing}"])
        points.append(point)
    return {"breakpoints": points}


def _launch(rng: Random) -> dict[str, Any]:
    given: dict[str, Any] = {"program": str(PROGRAM), "stopOnEntry": rng.random() < 0.6}
    if rng.random() < 0.3:
        given["entry"] = [rng.choice(["start", "forever", "body"])]
    if rng.random() < 0.1:
        given["load"] = [rng.choice(["key=hex:00ff", "m1@0=hex:11", "nothing=hex:00"])]
    return given


def _memory(rng: Random) -> str:
    return rng.choice(["m0@0x0", "m0@16", "t0@0x20", "pm@0", "m9@0", "v0", f"m1@{rng.randrange(1 << 20)}"])


def _granular(rng: Random) -> dict[str, Any]:
    return {"threadId": 1} | rng.choice([{}, {"granularity": "instruction"}, {"granularity": "line"}])


def _thread(rng: Random) -> dict[str, Any]:
    return {"threadId": 1}


# Generators of a request's arguments.
ARGUMENTS: Mapping[str, Draw] = {
    "initialize": lambda rng: {
        "adapterID": "lutra",
        "linesStartAt1": rng.random() < 0.8,
        "supportsProgressReporting": rng.random() < 0.5,
        "supportsInvalidatedEvent": rng.random() < 0.5,
    },
    "launch": _launch,
    "restart": lambda rng: rng.choice([{}, {"arguments": _launch(rng)}]),
    "setBreakpoints": lambda rng: {
        "source": _source(rng),
        **_points(rng, lambda rng: {"line": _line(rng)}),
    },
    "setFunctionBreakpoints": lambda rng: _points(
        rng, lambda rng: {"name": rng.choice(["start", "body", "body+1", "forever", "nothing", "trap"])}
    ),
    "setInstructionBreakpoints": lambda rng: _points(
        rng, lambda rng: {"instructionReference": hex(rng.randrange(20)), "offset": rng.randrange(-3, 3)}
    ),
    "setDataBreakpoints": lambda rng: _points(
        rng, lambda rng: {"dataId": rng.choice(EXPRESSIONS), "accessType": rng.choice(["write", "write", "read"])}
    ),
    "setExceptionBreakpoints": lambda rng: {"filters": rng.sample(["trap", "notify", "divergence"], rng.randrange(4))},
    "dataBreakpointInfo": lambda rng: {
        "name": rng.choice(["v0", "v1", "ar0", "m0", "[0x000]"]),
        "variablesReference": rng.randrange(8),
    },
    "breakpointLocations": lambda rng: {"source": _source(rng), "line": _line(rng), "endLine": _line(rng)},
    "continue": _thread,
    "reverseContinue": _thread,
    "next": _granular,
    "stepIn": _granular,
    "stepOut": _granular,
    "stepBack": _granular,
    "pause": _thread,
    "cancel": lambda rng: {"progressId": "move1"},
    "stackTrace": lambda rng: {"threadId": 1, "startFrame": rng.randrange(3), "levels": rng.randrange(5)},
    "scopes": lambda rng: {"frameId": rng.randrange(4)},
    "variables": lambda rng: {
        "variablesReference": rng.randrange(12),
        "start": rng.randrange(5),
        "count": rng.randrange(50),
    },
    "setVariable": lambda rng: {
        "variablesReference": rng.randrange(12),
        "name": rng.choice(["v0", "ar0", "flag", "[0x000]"]),
        "value": rng.choice(["1", "hex:ff", "v1", "x"]),
    },
    "setExpression": lambda rng: {
        "expression": rng.choice(EXPRESSIONS),
        "value": rng.choice(["1", "hex:ff", "v1", "x"]),
    },
    "evaluate": lambda rng: rng.choice(
        [
            {"expression": rng.choice(EXPRESSIONS), "context": rng.choice(["hover", "watch"])},
            {"expression": rng.choice(COMMANDS), "context": "repl"},
        ]
    ),
    "completions": lambda rng: {"text": rng.choice(["", "br", "print v", "info re"]), "column": rng.randrange(1, 9)},
    "readMemory": lambda rng: {
        "memoryReference": _memory(rng),
        "offset": rng.randrange(-20, 70_000),
        "count": rng.choice([0, 1, 16, 5000, 1 << 20]),
    },
    "writeMemory": lambda rng: {
        "memoryReference": _memory(rng),
        "offset": rng.randrange(-20, 70_000),
        "data": rng.choice(["", "AAECAw==", "AAAA" * 100, "?"]),
        "allowPartial": rng.random() < 0.5,
    },
    "disassemble": lambda rng: {
        "memoryReference": hex(rng.randrange(30)),
        "instructionOffset": rng.randrange(-50, 50),
        "instructionCount": rng.choice([0, 1, 50, 400]),
    },
    "source": lambda rng: {"source": _source(rng), "sourceReference": rng.randrange(2)},
}
# Requests without arguments.
BARE = ("attach", "configurationDone", "terminate", "disconnect", "threads", "exceptionInfo", "loadedSources")
# Every request of the adapter; a test compares.
REQUESTS = (*ARGUMENTS, *BARE)
# A session ends with each of them seldom, or no long one would be tried.
_SELDOM = {"disconnect": 0.02, "terminate": 0.1, "restart": 0.3, "initialize": 0.2}


class DebugAdapter(Target):
    """`lutra dap`."""

    name = "dap"

    def __init__(self) -> None:
        installed.warm("lutra.debug.dap.adapter")

    def serve(self) -> int:
        """As the command does."""
        return installed.run("dap")

    def opening(self, rng: Random) -> list[Message]:
        """Initialize, launch, and breakpoints in some order before the program starts."""
        asked = ["initialize", "launch"]
        asked += rng.sample(["setBreakpoints", "setFunctionBreakpoints", "setExceptionBreakpoints"], rng.randrange(4))
        return [_request(command, rng) for command in (*asked, "configurationDone")]

    def session(self, rng: Random) -> list[Message]:
        """Stops, looks around after each, and leaves."""
        messages = self.opening(rng)
        for _ in range(rng.randrange(1, 6)):
            move = rng.choice(["next", "stepIn", "stepOut", "stepBack", "continue", "reverseContinue"])
            looks = [
                "threads",
                "stackTrace",
                "scopes",
                "variables",
                "variables",
                "evaluate",
                "disassemble",
                "readMemory",
            ]
            messages += [_request(command, rng) for command in (move, *looks[: rng.randrange(len(looks) + 1)])]
        return [*messages, _request("disconnect", rng)]

    def request(self, rng: Random) -> Message:
        """Any that the adapter knows."""
        return _request(rng.choices(REQUESTS, [_SELDOM.get(name, 1) for name in REQUESTS])[0], rng)

    def numbered(self, messages: Sequence[Message]) -> list[Message]:
        """From 1 on."""
        return [{**message, "seq": number} for number, message in enumerate(messages, 1)]

    def probe(self) -> Message:
        """`threads` is answered before a launch, while a program runs, and after its end."""
        return {"seq": PROBE, "type": "request", "command": "threads"}

    def asked(self, message: Message) -> object:
        return message["seq"] if message.get("type") == "request" else None

    def answered(self, message: Message) -> object:
        return message.get("request_seq") if message.get("type") == "response" else None

    def fault(self, message: Message) -> str:
        body = message.get("body", {})
        said = f"{message.get('message', '')}{body.get('output', '') if body.get('category') == 'stderr' else ''}"
        return said if "internal error" in said else ""

    def ending(self, message: Message) -> bool:
        return message.get("command") == "disconnect"


def _request(command: str, rng: Random) -> Message:
    draw = ARGUMENTS.get(command)
    return {"seq": 0, "type": "request", "command": command} | ({"arguments": draw(rng)} if draw else {})
