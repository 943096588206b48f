"""The command language: every command says what it should, and refuses what it cannot do in one line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from lutra.debug import DebugError
from lutra.debug.commands import COMMANDS, CommandState, complete, execute
from lutra.debug.console import Console
from lutra.iss.engine import EngineError
from support.debugging import open_session

# Command lines, one after the other in a session, and what the last one prints.
SAYS: list[tuple[list[str], str]] = [
    (
        ["continue"],
        "halted: 43 cycles, 33 instructions\ncycle 43, program.s:20\n   20           halt\n   halted at 0x000c",
    ),
    (["break done", "c"], "breakpoint 1\ncycle 27, program.s:16\n   16   done:   mov     m3[ar0++], v0"),
    (["b round.inc:3", "c 3"], "breakpoint 1\ncycle 16, round.inc:3 in round, from round.inc:6, program.s:15"),
    (["b round", "c", "c", "rc"], "breakpoint 1\ncycle 11, round.inc:2 in round, from round.inc:6, program.s:15"),
    (
        ["step"],
        "cycle 8, program.s:12\n   12           mov     v1, m0[one]\nchanged: v0 000102030405060708090a0b0c0d0e0f",
    ),
    (["s 2"], "cycle 9, program.s:13\n   13           arset   ar0, 0x20\nchanged: v1 00000000000000000000000000000001"),
    (["s 3", "reverse-step 2"], "cycle 8, program.s:12\n   12           mov     v1, m0[one]\n"),
    (["rs"], "at the start; nothing came before\ncycle 0, program.s:11\n   11   main:   mov     v0, m0[key]"),
    (
        ["next 5"],
        "cycle 15, program.s:15\n   15           double_round v0, v1             // two rounds in each pass\n=> 0x0004",
    ),
    (["next 5", "reverse-next"], "cycle 11, program.s:15"),
    (["next 4", "s", "next"], "cycle 13, round.inc:7 in double_round, from program.s:15"),
    (
        ["stepi 4"],
        "cycle 11, round.inc:2 in round, from round.inc:6, program.s:15\n   2            add32   \\state, \\state,",
    ),
    (
        ["stepi 4"],
        "=> 0x0004  add32 v0, v0, v1  main+4",
    ),
    (["c", "reverse-stepi"], "cycle 42, program.s:20\n   20           halt"),
    (["b again", "c", "d", "finish"], "cycle 39, program.s:18"),
    (["b again", "c", "d", "reverse-finish"], "program.s:17"),
    (["goto end", "advance main"], "main was not reached\nhalted"),
    (["b 16", "advance 20"], "20 was not reached\nbreakpoint 1\ncycle 27, program.s:16"),
    (["b 16", "advance 20", "i b"], "breakpoint 1: 16, 0x0008, program.s:16"),
    (["advance twice"], "breakpoint 1\ncycle 29, program.s:21"),
    (["until 17", "info breakpoints"], "no breakpoints and no watchpoints"),
    (["goto 3"], "cycle 10, program.s:14\n   14           repeat  4, done"),
    (["goto cycle 31"], "cycle 31, program.s:22"),
    (["c", "last v1", "goto last"], "cycle 8, program.s:12\n   12           mov     v1, m0[one]"),
    (["goto 9", "goto 2", "goto end"], "cycle 16, round.inc:3 in round"),
    (["c", "start"], "at the start\ncycle 0, program.s:11\n   11   main:   mov     v0, m0[key]"),
    (["b done", "c", "run"], "breakpoint 1\ncycle 27, program.s:16"),
    (["break"], "breakpoint 1: *0x0, 0x0000, program.s:11"),
    (["b round.inc:2"], "breakpoint 1: round.inc:2, 2 places, round.inc:2"),
    (["b round if v0 == key"], "breakpoint 1: round, 2 places, round.inc:2, if v0 == key"),
    (["tbreak done"], "breakpoint 1: done, 0x0008, program.s:16, once"),
    (["tb trap"], "breakpoint 1: trap, once"),
    (["b program.s:8"], "breakpoint 1: program.s:8, 0x0000, program.s:11, line 8 has no instruction; moved to line 11"),
    (
        ["watch v1", "c"],
        "watchpoint 1, v1: 00000000 00000000 00000000 00000000 -> 00000000 00000000 00000000 00000001\n",
    ),
    (["watch v1 if ar0", "info watchpoints"], "watchpoint 1: v1, if ar0"),
    (["b main", "watch v1", "delete 1", "info breakpoints"], "watchpoint 2: v1"),
    (["b main", "watch v1", "d", "i b"], "no breakpoints and no watchpoints"),
    (
        ["b done", "watch v1", "disable", "i b"],
        "breakpoint 1: done, 0x0008, program.s:16, disabled\nwatchpoint 2: v1, disabled",
    ),
    (["b done", "watch v1", "disable", "enable 2", "i b"], "program.s:16, disabled\nwatchpoint 2: v1"),
    (
        ["b round", "condition 1 loop0.remaining == 1"],
        "breakpoint 1: round, 2 places, round.inc:2, if loop0.remaining == 1",
    ),
    (["b round if flag", "condition 1"], "breakpoint 1: round, 2 places, round.inc:2"),
    (["watch ar1", "condition 1 ar1 == 0", "c", "p ar1"], "ar1 = 0"),
    (["b round", "ignore 1 7", "c", "i b"], "breakpoint 1: round, 2 places, round.inc:2, 8 passes"),
    (["watch ar1", "ignore 1 1"], "watchpoint 1: ar1, ignores 1 more"),
    (["s 3", "print ar0"], "ar0 = 32 (0x20)"),
    (["s", "p v0"], "v0 =\n  00 04 08 0c\n  01 05 09 0d\n  02 06 0a 0e\n  03 07 0b 0f"),
    (["s", "p/x v0"], "v0 = 000102030405060708090a0b0c0d0e0f"),
    (["s", "p/w v0"], "v0 = 00010203 04050607 08090a0b 0c0d0e0f"),
    (["s", "print/pair v0"], "v0 =\n  a  0001020304050607 (283686952306183)\n"),
    (["x/2 key"], "m0[0x000]  00010203 04050607 08090a0b 0c0d0e0f\nm0[0x010]  00000000 00000000 00000000 00000001"),
    (["x/b m0[0x10]"], "m0[0x010]  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01"),
    (["x/1state key"], "m0[0x000]  00 04 08 0c\n           01 05 09 0d"),
    (["x m2[0xff0]"], "m2[0xff0]  00000000"),
    (["x/9 m2[0xff0]"], "m2[0xff0]  00000000 00000000 00000000 00000000"),
    (["s", "x v0"], "v0 =\n"),
    (["x m0@0x10"], "m0[0x010]  00000000 00000000 00000000 00000001"),
    (["x/2 key+16"], "m0[0x010]  00000000 00000000 00000000 00000001\nm0[0x020]  "),
    (["x key + 16 - one"], "m0[0x000]  00010203"),
    (["x/2 pm[1]"], "pm[0x001]  201cb000 80800000\npm[0x002]  "),
    (["x/1x pm@8"], "pm[0x001]  201cb00080800000"),
    (["set key + 16 = 5", "s 2"], "cycle 9, program.s:13"),
    (["set key + 16 = 5"], "key + 16 = 00000000 00000000 00000000 00000005"),
    (["watch m3@0x20", "c"], "watchpoint 1, m3@0x20: 00000000 00000000"),
    (["c", "last m3@0x20"], "time 20, cycle 27, program.s:16: mov m3[ar0++], v0"),
    (["view v0 two a:8 b:8"], "v0 =\n  a  0000000000000000 (0)"),
    (["list"], "program.s:\n   6    key:    .row"),
    (["b 14", "list 13"], "program.s:\n   13           arset   ar0, 0x20\n*  14           repeat  4, done"),
    (["l round.inc:1"], "round.inc:\n   1            .macro round state, word\n"),
    (["l twice"], "program.s:\n   16   done:   mov     m3[ar0++], v0"),
    (["disassemble"], "=>   0x0000  mov v0, m0[key]                           main                      program.s:11"),
    (
        ["b *2", "disas main 3"],
        "   * 0x0002  arset ar0, 0x20                           main+2                    program.s:13",
    ),
    (["disas *0x20 1"], "     0x0020  .insn 0x0000000000000000"),
    (["b again", "c", "backtrace"], "#0 call twice at program.s:22\n#1 entry main at program.s:17"),
    (["where"], "cycle 0, program.s:11\n   11   main:   mov     v0, m0[key]"),
    (["c", "last m3[0x20]"], "time 20, cycle 27, program.s:16: mov m3[ar0++], v0\n  00000000 00000000"),
    (["last v0"], "no instruction has written v0 so far"),
    (["stepi 4", "set ar0 = 7", "last ar0"], "0 -> 32 (0x20)\n  the host has set 7 since"),
    (["stepi 3", "set ar0 = 7", "last ar0"], "0 -> 32 (0x20)\n  the host has set 7 since"),
    (["goto cycle 999"], "the run is over before cycle 999; halted: "),
    (["c", "history v1"], "time 1, cycle 8, program.s:12: mov v1, m0[one]\n  00000000 00000000 00000000 00000000 -> "),
    (
        ["c", "history v0 2"],
        "time 19, cycle 26, round.inc:3 in round, from round.inc:7, program.s:15: rotx v0, v0, zero, 8\n",
    ),
    (["history v1 3"], "no instruction has written v1 so far"),
    (["c", "history v1 18446744073709551615"], "program.s:12: mov v1, m0[one]"),
    (["s 5", "inputs"], "v0 =\n  00 04 08 0c"),
    (["inputs"], "m0[0x000] = 00010203 04050607 08090a0b 0c0d0e0f\n  written by no instruction so far"),
    (["s 8", "inputs", "goto last"], "cycle 14, round.inc:3 in round"),
    (["s 3", "inputs"], "it reads neither registers nor rows"),
    (["s 2", "trace 1"], "       8  0001  mov v1, m0[one]"),
    (["trace"], "no instruction so far"),
    (["view"], "v0 state 4x4  (program.s:2)\nkey parts w:4*4  (program.s:3)\n* pair a:8 b:8  (program.s:4)"),
    (["view key"], "key =\n  w[0]  00010203 (66051)"),
    (["view v1 high h:8", "s 2", "p v1"], "v1 = h  0000000000000000 (0)"),
    (["view * first f:1"], "* first f:1  (made here)"),
    (["display/x v1", "s 2"], "v1 = 00000000000000000000000000000001"),
    (["display ar0", "display ar1", "display"], "1: ar0 = 0\n2: ar1 = 0"),
    (["display ar0", "display ar1", "undisplay 1", "display"], "2: ar1 = 0"),
    (["display ar0", "undisplay", "display"], ""),
    (["display m2[ar0 * 0x100]", "s 3"], "column 1: m2 ends at 0x1000; 0x2000 and 16 bytes from there lie outside"),
    (["goto 9", "pipeline"], "cycle 16\nIF    "),
    (["set v1 = 7", "p/x v1"], "v1 = 00000000000000000000000000000007"),
    (["set v1.w[0] = 0x11223344", "p v1"], "v1 = 11223344 00000000 00000000 00000000"),
    (["set v1[15] = 0xff"], "v1[15] = 255 (0xff)"),
    (["set v1 = hex:00112233445566778899aabbccddeeff"], "v1 = 00112233 44556677 8899aabb ccddeeff"),
    (["set ar3 = 0x40 + 2"], "ar3 = 66 (0x42)"),
    (["set ar3.step = 16", "i r ar3"], "*ar3     0x0000  step 0x0010  start 0x0000  end 0x0000"),
    (["set var m2[0x10] = key"], "m2[0x10] = 00010203 04050607 08090a0b 0c0d0e0f"),
    (["set key[1] = 9", "s", "p v0[1]"], "v0[1] = 9"),
    (["c", "set pm[3] = 0x1122334455667788", "p/x pm[3:1]"], "pm[3:1] = 8877665544332211"),
    (["c", "set pm[3] = pm[1]", "p pm[3] == pm[1]"], "pm[3] == pm[1] = 1"),
    (["c", "set pm[3:2] = pm[1:2]", "p (pm[3] == pm[1]) && (pm[4] == pm[2])"], " = 1"),
    (["c", "set pm[3:2] = hex:00112233445566778899aabbccddeeff", "p/x pm[4]"], "pm[4] = 0xffeeddccbbaa9988"),
    (["set m0.row[1] = m0[0]", "p one == key"], "one == key = 1"),
    (["s", "info registers v0 ar0"], "*v0      000102030405060708090a0b0c0d0e0f\n ar0     0x0000"),
    (["info symbols on"], "m0  0x0010  one\npm  0x0008  done"),
    (["info symbols nothing"], "no symbol has 'nothing' in its name"),
    (["info memories"], "m0    0x01000 bytes"),
    (["info files"], "program.s\nround.inc"),
    (["info program"], "engine iss, ROUNDS_PER_INSTR 2\n=> run 0: main\ntime 0 of 0, cycle 0, running"),
    (["info"], "info about\n  registers [NAME ...]"),
    (["inject c0.s3 0x1 at 20"], "c0.s3 ^ 0x00000001 at cycle 20"),
    (["inject c1.r2 0x80 at 20", "c", "print c1.context_registers"], "00000000 00000080 00000000 00000000"),
    (["echo  two  words "], "two  words"),
    (["help goto"], "goto TIME | cycle N | last | end\nshort: g\nGo to a time"),
    (["help info"], "info SUBJECT\nshort: i\n"),
    (["help"], "moving:\n  continue (c)"),
    (["# nothing"], ""),
    ([""], ""),
    (["   s   3  "], "cycle 10, program.s:14"),
    (["quit"], ""),
]
REFUSES: list[tuple[str, str]] = [
    ("frob", "no command 'frob'; `help` lists all"),
    ("contimue", "no command 'contimue'; did you mean 'continue'?"),
    ("re", "re can be reverse-continue, reverse-step, reverse-next, reverse-stepi"),
    ("!", "no command '!'; `help` lists all"),
    ("c/x", "continue does not take a form; usage: continue [N]"),
    ("c x", "'x' is not a number of times such as 16 or 0x10"),
    ("s 0", "at least once"),
    ("stepi 0", "0 steps are none"),
    ("finish now", "now: the command takes nothing"),
    ("rfin now", "now: the command takes nothing"),
    ("rfin", "main is the outermost level; `reverse-continue` goes back to its start"),
    ("finish", "main is the outermost level; `continue` runs to its end"),
    ("advance", "write where to, as in `advance LABEL`"),
    ("goto", "write where to: a time"),
    ("goto last", "nothing was shown by `last`, `history` or `inputs` yet"),
    ("goto x", "'x' is not a time"),
    ("goto cycle x", "'x' is not a cycle such as"),
    ("b nowhere", "the image has no program label nowhere"),
    ("b main if", "if what? write an expression after `if`"),
    ("b main if v9", "v9: column 1: no register or symbol 'v9'"),
    ("watch", "write what to watch"),
    ("watch v0 + 1", "v0 + 1: is not a place"),
    ("delete 7", "no breakpoint 7"),
    ("delete x", "'x' is not the number of a breakpoint"),
    ("enable 7", "no breakpoint 7"),
    ("condition", "write a number and a condition"),
    ("condition 7 1", "no breakpoint 7"),
    ("ignore 1", "write a number and how many passes do not stop"),
    ("print", "write what to print"),
    ("p/octal v0", "no form or view 'octal'"),
    ("p v0 +", "v0 +: column 5: expected"),
    ("x", "write what to examine"),
    ("x 1 + 1", "1 + 1: is not a place"),
    ("x/0 key", "0 rows are none"),
    ("x v0 + 16", "v0 + 16: is not a place"),
    ("x main + 1", "main + 1: is not a place"),
    ("x key * 2", "key * 2: is not a place"),
    ("x key + 0x1000", "column 5: m0 ends at 0x1000; 0x1000 and 16 bytes from there lie outside"),
    ("x/2octal key", "no form or view 'octal'"),
    ("list 900", "program.s ends at line 26"),
    ("list nowhere", "the image has no program label nowhere"),
    ("list x.s:1", "no instruction comes from a file x.s"),
    ("disas nowhere", "the image has no program label nowhere"),
    ("disas main x", "'x' is not a number of instructions"),
    ("last", "write whose writer"),
    ("last 3", "3: is not a place"),
    ("history", "write whose writers"),
    ("history v1 \u00b2", "'\u00b2' is not how many such as 16 or 0x10"),
    (f"history v1 {'9' * 5000}", "is not how many such as 16"),
    ("list \u00b2", "'\u00b2' is not a line such as 16 or 0x10"),
    (f"list {'9' * 5000}", "is not a line such as 16"),
    (f"x/{'9' * 5000} m0[0]", "is not a number of rows such as 16"),
    ("view v1", "v1 has no view; create one with `view v1 state 4x4`"),
    ("view v0 large 9x9", "view large takes 81 bytes, and this is 16"),
    ("view v1 x 4y4", "not the shape of a view: '4y4'"),
    ("display v9", "no register or symbol 'v9'"),
    ("display/state v0[3]", "view state takes 16 bytes, and v0[3] is a number"),
    ("undisplay 3", "no display 3"),
    ("set", "write EXPRESSION = VALUE"),
    ("set v0 == 3", "write EXPRESSION = VALUE"),
    ("set v0 + 1 = 3", "v0 + 1: is not a place"),
    ("set pc = 3", "pc: is not a place"),
    ("set v0[0] = 256", "v0[0] takes 1 bytes, which cannot hold 0x100"),
    ("set v0 = hex:00", "v0 takes 16 bytes, not 1"),
    ("set pm[3:2] = 1", "pm[3:2] takes 16 bytes in the order of the memory, no number"),
    ("set v0 = -1", "v0 takes 16 bytes, which cannot hold -0x1"),
    ("set ar0 = v0", "ar0 holds a number, not 16 bytes"),
    ("set ar0 = 0x10000", "ar0 holds numbers up to 65535"),
    ("set zero = 1", "no register or symbol 'zero'"),
    ("info nothing", "info about 'nothing' is not known"),
    ("inject c0.s3", "write inject CONTEXT.WORD MASK at CYCLE, as in `inject c0.s3 0x1 at 120`"),
    ("inject c2.s0 1 at 5", "no stream context c2"),
    ("inject c0.s3 1 at 5 shadow", "this word has no shadow in this core"),
    ("info registers v9", "no register v9"),
    ("source none.txt", "none.txt: cannot be read: No such file or directory"),
    ("help frob", "no command 'frob'"),
    ("quit now", "now: the command takes nothing"),
]


@pytest.mark.parametrize(("lines", "said"), SAYS, ids=[" / ".join(lines) or "empty" for lines, _ in SAYS])
def test_a_command_says_what_it_did(commands: CommandState, lines: list[str], said: str) -> None:
    texts = [execute(commands, line) for line in lines]
    assert said in texts[-1]
    assert said or not texts[-1]


@pytest.mark.parametrize(("line", "message"), REFUSES, ids=[line for line, _ in REFUSES])
def test_a_command_refuses_in_one_line(commands: CommandState, line: str, message: str) -> None:
    with pytest.raises(EngineError) as error:
        execute(commands, line)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert commands.session.inspect.where().time == 0


def test_every_command_has_its_case() -> None:
    given = [line.split()[0].partition("/")[0] for lines, _ in SAYS for line in lines if line.strip("# ")]
    used = {COMMANDS.find(name).name for name in given if name != "#"}
    assert {command.name for command in COMMANDS.all} - used == {"source"}


def test_every_command_has_help_that_names_its_group(commands: CommandState) -> None:
    for command in COMMANDS.all:
        text = execute(commands, f"help {command.name}")
        assert text.startswith(command.usage)
        assert command.summary.endswith(".")
        assert max(map(len, text.splitlines())) <= 120


def test_quitting_ends_the_session(commands: CommandState) -> None:
    execute(commands, "q")
    assert commands.over


def test_a_script_does_its_commands_up_to_an_error(commands: CommandState) -> None:
    Path("good").write_text("# to the loop\nb done\n\nc\np ar0\n")
    assert execute(commands, "source good").splitlines()[-1] == "ar0 = 32 (0x20)"
    Path("bad").write_text("s\nfrob\ns\n")
    with pytest.raises(DebugError, match="bad:2: no command 'frob'"):
        execute(commands, "source bad")
    Path("left").write_text("quit\nfrob\n")
    execute(commands, "source left")
    assert commands.over


def test_scripts_that_read_each_other_without_end_are_refused(commands: CommandState) -> None:
    Path("again").write_text("source again\n")
    with pytest.raises(DebugError, match="nested 8 deep"):
        execute(commands, "source again")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("reverse-s", ["reverse-step", "reverse-stepi"]),
        ("b tw", ["twice"]),
        ("b round", ["round", "round.inc:"]),
        ("b tr", ["trap"]),
        ("p v", [f"v{n}" for n in range(8)]),
        ("p v0 + ke", ["key"]),
        ("p m0[on", ["one"]),
        ("p/x ar0.s", ["ar0.start", "ar0.step"]),
        ("info mem", ["memories"]),
        ("help vi", ["view"]),
        ("frob x", []),
        ("echo x", []),
    ],
)
def test_a_line_is_completed_by_what_fits(commands: CommandState, line: str, words: list[str]) -> None:
    assert complete(commands, line) == words


def test_a_completed_word_is_ended_so_that_the_next_may_follow(commands: CommandState) -> None:
    readline = pytest.importorskip("readline")
    offered = []
    for line in ("reverse-c", "b twi", "b round.i", "b rou"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("builtins.input", lambda _: "quit")
            patch.setattr(readline, "get_line_buffer", lambda line=line: line)
            patch.setattr(readline, "get_endidx", lambda line=line: len(line))
            Console(commands.session, io.StringIO()).terminal()
            completer = readline.get_completer()
            offered.append([completer("", 0), completer("", 1)])
    assert offered == [["reverse-continue ", None], ["twice ", None], ["round.inc:", None], ["round", "round.inc:"]]


def test_what_is_set_by_hand_makes_a_new_future(commands: CommandState) -> None:
    execute(commands, "b done")
    execute(commands, "c")
    value = commands.session.inspect.evaluate("v0").value
    execute(commands, "goto 3")
    execute(commands, "set v1 = 0")
    assert commands.session.inspect.latest == 3
    execute(commands, "c")
    assert commands.session.inspect.evaluate("v0").value != value


def test_a_program_counter_beyond_the_program_is_shown() -> None:
    commands = CommandState(open_session("main: nop\n"))
    assert execute(commands, "c").startswith("trap: illegal-instruction")
