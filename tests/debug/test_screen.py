"""The terminal debugger by keys and commands, against the session under it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lutra.isa import load
from support.screens import ENDLESS, opened, screen

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
async def test_a_step_and_a_step_back_are_shown_in_all_panes(tmp_path: Path, engine: str) -> None:
    async with screen(opened(tmp_path, engine=engine)) as shown:
        before = {name: shown.pane(name).text for name in ("source", "disassembly", "registers")}
        await shown.press("f8", "f8")
        assert shown.session.inspect.where().time == 2
        assert shown.current("source").startswith("18 ▶")
        assert shown.current("disassembly").startswith("0002 ▶ repeat")
        assert "v0  *00010203 04050607 08090a0b 0c0d0e0f" in shown.pane("registers").text
        assert "v7   01010101" in shown.pane("registers").text  # changed by the step before
        await shown.press("shift+f8", "shift+f8")
        assert shown.session.inspect.where().time == 0
        assert before["source"] == shown.pane("source").text
        assert before["disassembly"] == shown.pane("disassembly").text


@pytest.mark.parametrize(("forward", "back"), [("f11", "shift+f11"), ("f10", "f22"), ("f8", "f20")])
async def test_function_keys_of_terminals_with_and_without_shift_go_back(
    tmp_path: Path, forward: str, back: str
) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press(forward)
        assert shown.session.inspect.where().time == 1
        await shown.press(back)
        assert shown.session.inspect.where().time == 0


async def test_letters_move_in_panes_and_write_on_the_command_line(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("s")
        assert (shown.session.inspect.where().time, shown.app.command.value) == (0, "s")
        await shown.press("escape", "s", "n", "i", "I")
        assert shown.session.inspect.where().time == 2
        await shown.press("escape")
        assert shown.app.focused is shown.app.command


async def test_next_goes_over_a_macro_and_step_into_it(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.command("advance program.s:19")
        await shown.press("f11")
        assert shown.current("source").startswith("2 ▶")
        assert "twice" in shown.pane("source").note
        assert [line.text.split()[:2] for line in shown.pane("stack").lines][:2] == [
            ["macro", "add_one"],
            ["macro", "twice"],
        ]
        await shown.press("escape", "left_square_bracket", "left_square_bracket")
        assert shown.pane("source").item == 19
        assert "▷" in shown.pane("source").lines[18].text


async def test_a_breakpoint_by_key_stops_forward_and_back(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.command("advance program.s:20")
        await shown.press("f9")
        assert shown.pane("source").lines[19].text.startswith("●")
        assert "●0005" in shown.pane("disassembly").text
        await shown.press("f5")
        assert (shown.session.moves.stop.kind, shown.session.inspect.where().time) == ("breakpoint", 8)
        await shown.press("f5", "shift+f5", "f17")
        assert (shown.session.moves.stop.kind, shown.session.inspect.where().time) == ("breakpoint", 5)
        assert "breakpoint" in shown.app.status.text
        await shown.press("f9")
        assert len(shown.session.breakpoints) == 0
        assert "●" not in shown.pane("source").text + shown.pane("disassembly").text


async def test_a_breakpoint_on_an_instruction_and_a_run_to_the_cursor(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("escape", "2", "down", "down", "f4")
        assert shown.session.inspect.where().pc == 2
        await shown.press("down", "down", "f9")
        (point,) = shown.session.breakpoints
        assert point.addresses == (4,)
        await shown.press("9", "space")
        assert not next(iter(shown.session.breakpoints)).enabled
        assert shown.pane("stops").text.startswith("○")
        await shown.press("delete")
        assert not list(shown.session.breakpoints)


async def test_the_last_writer_by_command_and_by_key(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("f5")
        assert shown.session.moves.stop.kind == "halt"
        await shown.command("last v0")
        by_command = shown.app.commands.shown_write
        assert by_command is not None
        assert by_command.pc == 3
        await shown.press("escape", "3", "home", "l")
        assert shown.app.commands.shown_write == by_command
        assert shown.messages.count("> last v0") == 2
        assert "program.s:2 in add_one" in shown.messages
        await shown.press("L")
        assert (shown.session.inspect.where().time, shown.session.inspect.where().pc) == (by_command.time, 3)


async def test_a_watchpoint_by_key_stops_at_the_change(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("escape", "3", "down", "w")
        assert [point.text for point in shown.session.watchpoints] == ["v1"]
        await shown.press("f5")
        assert (shown.session.moves.stop.kind, shown.session.inspect.where().time) == ("watchpoint", 5)
        await shown.press("f5", "shift+f5")
        assert (shown.session.moves.stop.kind, shown.session.inspect.where().pc) == ("watchpoint", 4)
        assert "v1" in shown.pane("stops").text


async def test_a_value_has_all_its_forms_and_its_writers_on_a_page(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("f5", "escape", "3", "enter")
        page = shown.app.screen.query_one("#page")
        text = page.text  # type: ignore[attr-defined]
        assert "01 02 03 02 05" not in text
        assert "00 01 02 03 04 05 06 07" in text
        assert text.count("xor v0, v0, v7") == 2
        assert "00 04 08 0c" in text  # the view
        await shown.press("end", "enter")
        assert shown.session.inspect.where().time == 1


async def test_the_forms_of_values_come_one_after_the_other(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("f8", "f8", "escape", "3")
        seen = []
        for _ in range(7):
            seen.append((shown.pane("registers").note, shown.pane("registers").text))
            await shown.press("v")
        assert [form for form, _ in seen] == ["words", "bytes", "lanes", "decimal", "hex", "view", "words"]
        assert "00 01 02 03 04" in seen[1][1]
        assert seen[2][1].split()[:3] == ["0", "1", "2"]
        assert f" {0x04050607} " in seen[3][1]
        assert "000102030405060708090a0b0c0d0e0f" in seen[4][1]
        assert "00 04 08 0c" in seen[5][1].splitlines()[0]
        assert seen[6] == seen[0]
        await shown.press("V", "V")
        assert shown.pane("registers").note == "view"


async def test_memories_show_labels_changes_and_what_a_search_finds(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.command("advance done")
        await shown.press("shift+f8", "escape", "4")
        assert shown.pane("memories").lines[1].text.endswith("  ones")
        await shown.press("full_stop", "full_stop", "full_stop")
        assert shown.pane("memories").label == "m3"
        await shown.press("f8")
        assert shown.pane("memories").lines[1].text.startswith("010*00010203 04050607")
        await shown.command("/ONES")
        assert (shown.pane("memories").label, shown.pane("memories").item) == ("m0", "m0[0x010]")
        await shown.command("/nowhere")
        assert "'nowhere' is not in memories" in shown.messages
        await shown.press("escape", "5")
        assert shown.pane("tables").label == "t0"
        await shown.press("6")
        assert "c1.context_buffer" in shown.pane("contexts").text


async def test_a_value_is_set_from_its_pane(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("f8", "escape", "3", "e")
        assert shown.app.command.value == "set v0 = "
        await shown.press("5", "enter")
        assert "v0  *00000000 00000000 00000000 00000005" in shown.pane("registers").text


async def test_an_endless_loop_shows_progress_and_can_be_interrupted(tmp_path: Path) -> None:
    async with screen(opened(tmp_path, ENDLESS)) as shown:
        for key in ("escape", "ctrl+c"):
            await shown.pilot.press("f5")
            for _ in range(200):
                await asyncio.sleep(0.05)
                if shown.app.status.progress is not None:
                    break
            assert "running; Esc interrupts" in shown.app.status.text
            await shown.pilot.press("f1")  # the screen lives, and the page comes after the move
            await shown.pilot.press(key)
            await shown.settle()
            assert shown.session.moves.stop.kind == "interrupt"
            assert "interrupted" in shown.messages
        await shown.press("shift+f8")
        assert shown.session.moves.stop.kind == "step"


async def test_a_wrong_command_is_one_line_and_changes_nothing(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        for command in ("brake main", "break nowhere", "print v9", "set v0", "goto -1"):
            before = shown.messages
            await shown.command(command)
            said = shown.messages.removeprefix(before).strip().splitlines()
            assert said[0] == f"> {command}"
            assert len(said) > 1
        assert shown.session.inspect.where().time == 0
        assert shown.app.failure is None


async def test_history_and_completion_of_the_command_line(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.command("print v0")
        await shown.command("step")
        await shown.command("")
        assert shown.session.inspect.where().time == 2
        await shown.command(":step")
        assert shown.session.inspect.where().time == 3
        await shown.press("up")
        assert shown.app.command.value == "step"
        await shown.press("up")
        assert shown.app.command.value == "print v0"
        await shown.press("down", "down")
        assert shown.app.command.value == ""
        await shown.press(*"reverse-c", "tab")
        assert shown.app.command.value == "reverse-continue "
        shown.app.command.value = ""
        shown.app.command.insert_text_at_cursor(f"b {tmp_path}/pro")
        await shown.press("tab")
        assert shown.app.command.value == f"b {tmp_path}/program.s:"
        shown.app.command.value = ""
        await shown.press(*"st", "tab")
        assert shown.app.command.value == "st"
        assert "start  step  stepi" in shown.messages


async def test_quit_and_ctrl_q_leave(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.command("quit")
        assert not shown.app.is_running or shown.app.commands.over
    async with screen(opened(tmp_path)) as shown:
        await shown.pilot.press("ctrl+q")
        await shown.pilot.pause()
        assert shown.app._exit


async def test_help_names_every_key_and_command(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("f1")
        text = shown.app.screen.query_one("#page").text  # type: ignore[attr-defined]
        for word in ("F5, c", "F10, n", "F11, s", "F8, i", "F12, f", "F9", "F4", "reverse-continue", "history"):
            assert word in text
        await shown.press("escape")
        assert len(shown.app.screen_stack) == 1


async def test_the_pipeline_says_what_id_waits_for(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        waits = set()
        for _ in range(20):
            await shown.press("f8")
            waits |= {line.text.strip() for line in shown.pane("pipeline").lines if "waits for" in line.text}
        assert any(wait.startswith("waits for ") for wait in waits)
        assert shown.pane("pipeline").lines[0].text.startswith("IF ")


async def test_the_pipeline_says_what_each_stage_does(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        steps = load().lookup("xor")[0].path
        seen = set()
        for _ in range(6):
            await shown.press("f8")
            rows = [line.text.split(maxsplit=2) for line in shown.pane("pipeline").lines]
            seen |= {(row[0], row[2].partition("v7  ")[2].strip()) for row in rows if row[2:] and "xor" in row[2]}
        for step in steps:
            assert (step.stages[0], f"{step.block} {step.formula}") in seen
        assert {"MEM", "X1", "X2", "WB"} <= {stage for stage, work in seen if not work}
