// From initialize to disconnect, and what is wrong on the way.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { assert, FOLDER, PROGRAM, TIMEOUT, ask, at, breakAt, client, launched, line, move, refused } = require("./client");

test("initialize says what the adapter can do, going back in time among it", async (t) => {
  const dc = await client(t);
  const { body } = await dc.initializeRequest({ adapterID: "lutra" });
  for (const name of ["StepBack", "DataBreakpoints", "InstructionBreakpoints", "DisassembleRequest", "ReadMemoryRequest"])
    assert.equal(body[`supports${name}`], true, name);
  assert.deepEqual(body.exceptionBreakpointFilters.map((one) => one.filter), ["trap", "notify", "divergence"]);
});

test("a program stops at its entry, and tells of its end before the session ends", async (t) => {
  const dc = await launched(t);
  assert.equal(dc.stop_.reason, "entry");
  assert.equal(await at(dc), line("main"));
  const end = await move(dc, "continue");
  assert.equal(end.reason, "halt");
  assert.equal(await at(dc), line("halt"));
  const over = [dc.waitForEvent("terminated", TIMEOUT), dc.waitForEvent("exited", TIMEOUT)];
  await ask(dc, "continue", { threadId: 1 });
  assert.equal((await Promise.all(over))[1].body.exitCode, 0);
  assert.match(await refused(dc, "stackTrace", { threadId: 1 }), /no program is being debugged/);
});

test("without stopOnEntry it runs to the first breakpoint", async (t) => {
  const dc = await launched(t, { stopOnEntry: false }, (dc) => breakAt(dc, "call"));
  assert.equal(dc.stop_.reason, "breakpoint");
  assert.equal(await at(dc), line("call"));
});

test("without debugging it runs to its end", async (t) => {
  const dc = await client(t);
  await dc.initializeRequest({ adapterID: "lutra" });
  await ask(dc, "launch", { program: PROGRAM, noDebug: true });
  const exited = dc.waitForEvent("exited", TIMEOUT);
  const [point] = await breakAt(dc, "call");
  assert.equal(point.verified, false);
  await ask(dc, "configurationDone");
  assert.equal((await exited).body.exitCode, 0);
});

test("a trap ends a program with exit code 1", async (t) => {
  const dc = await launched(t, { entry: ["wrong"] });
  assert.equal((await move(dc, "continue")).reason, "exception");
  assert.match((await ask(dc, "exceptionInfo", { threadId: 1 })).description, /illegal/);
  const exited = dc.waitForEvent("exited", TIMEOUT);
  await ask(dc, "continue", { threadId: 1 });
  assert.equal((await exited).body.exitCode, 1);
});

test("entries and data are those of lutra debug", async (t) => {
  const dc = await launched(t, { entry: ["twice", "wrong"], load: ["m1@0x40=hex:0011"], maxCycles: 5000, rounds: 1 });
  assert.equal(await at(dc), line("twice"));
  assert.match((await ask(dc, "evaluate", { expression: "m1[0x40:2]" })).result, /0011/);
});

test("an image is debugged like its assembly", async (t) => {
  const image = path.join(FOLDER, "program.elf");
  require("node:child_process").execFileSync(process.env.LUTRA_COMMAND, ["asm", PROGRAM, "-o", image]);
  const dc = await launched(t, { program: image });
  assert.equal(await at(dc), line("main"));
});

test("restart assembles anew, with the breakpoints where they were", async (t) => {
  const file = path.join(FOLDER, "edited.s");
  fs.writeFileSync(file, "        nop\n        halt\n");
  const dc = await launched(t, { program: file }, (dc) =>
    ask(dc, "setBreakpoints", { source: { path: file }, breakpoints: [{ line: 2 }] }));
  assert.equal((await move(dc, "continue")).reason, "breakpoint");
  fs.writeFileSync(file, "        nop\n        nop\n        halt\n");
  assert.equal((await move(dc, "restart")).reason, "entry");
  assert.equal((await move(dc, "continue")).reason, "breakpoint");
  assert.equal((await move(dc, "continue")).reason, "halt");
  assert.equal(await at(dc), 3);
});

test("terminate ends the program, disconnect the adapter", async (t) => {
  const dc = await launched(t);
  const over = dc.waitForEvent("terminated", TIMEOUT);
  await ask(dc, "terminate");
  await over;
  const exit = new Promise((resolve) => dc._adapterProcess.on("exit", resolve));
  await ask(dc, "disconnect");
  assert.equal(await exit, 0);
});

for (const [what, launch, said] of [
  ["a missing file", { program: "/nowhere.s" }, /nowhere\.s: no such file/],
  ["an unknown engine", { engine: "fpga" }, /engine is 'fpga'; must be one of iss, rtl, cosim/],
  ["a wrong type", { load: "key" }, /load is 'key'; it must be a list/],
  ["no program", { program: null }, /program is missing/],
  ["an unknown entry", { entry: ["mian"] }, /mian/],
  ["a place that is none", { load: ["nothing=hex:00"] }, /nothing/],
]) {
  test(`${what} is told in one line, and the adapter goes on`, async (t) => {
    const dc = await client(t);
    await dc.initializeRequest({ adapterID: "lutra" });
    assert.match(await refused(dc, "launch", { program: PROGRAM, ...launch }), said);
    await ask(dc, "launch", { program: PROGRAM });
  });
}

test("errors of the assembler go to the console with their places", async (t) => {
  const file = path.join(FOLDER, "broken.s");
  fs.writeFileSync(file, "        .section text\n        forb\n        frob\n");
  const dc = await client(t);
  await dc.initializeRequest({ adapterID: "lutra" });
  const said = dc.waitForEvent("output", TIMEOUT);
  assert.match(await refused(dc, "launch", { program: file }), /broken\.s:2/);
  assert.match((await said).body.output, /broken\.s:3:.*error/);
});

for (const [command, args, said] of [
  ["stackTrace", { threadId: 1 }, /no program is being debugged/],
  ["attach", {}, /use launch/],
  ["frobnicate", {}, /unknown request 'frobnicate'/],
  ["launch", ["program"], /arguments must be an object/],
]) {
  test(`${command} before launch is an error, not an end`, async (t) => {
    const dc = await client(t);
    await dc.initializeRequest({ adapterID: "lutra" });
    assert.match(await refused(dc, command, args), said);
    assert.equal((await ask(dc, "threads")).threads.length, 1);
  });
}
