// Where a program stops: lines, labels, addresses, data, exceptions; conditions, hits and log points.
"use strict";
const { test } = require("node:test");
const { assert, MACROS, PROGRAM, TIMEOUT, ask, at, breakAt, launched, line, move, refused, stack, value } = require("./client");

test("a line stops, and a line without an instruction moves on to one that has one", async (t) => {
  const dc = await launched(t);
  const [store, comment] = await breakAt(dc, "store", { at: "main", line: 1 });
  assert.deepEqual([store.verified, store.line], [true, line("store")]);
  assert.equal(comment.line, line("main"));
  const stop = await move(dc, "continue");
  assert.deepEqual([stop.reason, stop.hitBreakpointIds], ["breakpoint", [store.id]]);
  assert.equal(await at(dc), line("store"));
});

test("a line of a macro stops in each of its uses", async (t) => {
  const dc = await launched(t);
  await ask(dc, "setBreakpoints", { source: { path: MACROS }, breakpoints: [{ line: line("rotate", MACROS) }] });
  for (const use of ["first_round", "second_round"]) {
    await move(dc, "continue");
    const lines = (await stack(dc)).map((frame) => frame.line);
    assert.deepEqual(lines, [line("rotate", MACROS), line(use, MACROS), line("macro")]);
  }
});

test("a condition, and a number of passes", async (t) => {
  const dc = await launched(t);
  await breakAt(dc, { at: "again", condition: "ar1 == 1" });
  await move(dc, "continue");
  assert.match(await value(dc, "ar1"), /^1\b/);
  const dc2 = await launched(t);
  await breakAt(dc2, { at: "macro", hitCondition: "3" });
  await move(dc2, "continue");
  assert.equal(await value(dc2, "loop0.remaining"), "2");
});

test("a condition that is none is told at the breakpoint, and so is a hit condition", async (t) => {
  const dc = await launched(t);
  const points = await breakAt(dc, { at: "store", condition: "v0 ==" }, { at: "call", hitCondition: "% 2" });
  assert.ok(points.every((point) => !point.verified && point.message));
  assert.match(points[1].message, /write N/);
});

test("a log point speaks and does not stop", async (t) => {
  const dc = await launched(t);
  const said = [];
  dc.on("output", (event) => said.push(event.body.output));
  await breakAt(dc, { at: "macro", logMessage: "ar0 is {ar0}, {nothing}" });
  assert.equal((await move(dc, "continue")).reason, "halt");
  assert.equal(said.length, 4);
  assert.match(said[0], /^ar0 is 32 \(0x20\), \(.*nothing.*\)\n$/);
});

test("labels and addresses of instructions", async (t) => {
  const dc = await launched(t);
  const { breakpoints } = await ask(dc, "setFunctionBreakpoints", { breakpoints: [{ name: "twice" }, { name: "thrice" }] });
  assert.deepEqual(breakpoints.map((point) => point.verified), [true, false]);
  assert.equal((await move(dc, "continue")).reason, "function breakpoint");
  const [frame] = await stack(dc);
  const reference = frame.instructionPointerReference;
  await ask(dc, "setInstructionBreakpoints", { breakpoints: [{ instructionReference: reference, offset: 1 }] });
  assert.equal((await move(dc, "continue")).reason, "instruction breakpoint");
  assert.equal(await at(dc), line("again"));
});

test("notify stops where the client wants it", async (t) => {
  const dc = await launched(t);
  await ask(dc, "setExceptionBreakpoints", { filters: ["notify"] });
  const stop = await move(dc, "continue");
  assert.deepEqual([stop.reason, stop.text], ["exception", "notify 3"]);
  await ask(dc, "setExceptionBreakpoints", { filters: [] });
  await move(dc, "reverseContinue");
  assert.equal((await move(dc, "continue")).reason, "halt");
  assert.match(await refused(dc, "setExceptionBreakpoints", { filters: ["typo"] }), /choose from trap, notify, divergence/);
});

test("data stop a program forward after the write, and back before it", async (t) => {
  const dc = await launched(t);
  const { dataId, accessTypes } = await ask(dc, "dataBreakpointInfo", { name: "m1[0x40]" });
  assert.deepEqual(accessTypes, ["write"]);
  const { breakpoints } = await ask(dc, "setDataBreakpoints", { breakpoints: [{ dataId, accessType: "write" }] });
  assert.equal(breakpoints[0].verified, true);
  const stop = await move(dc, "continue");
  assert.equal(stop.reason, "data breakpoint");
  assert.match(stop.text, /m1\[0x40\]/);
  assert.notEqual(await value(dc, "m1[0x40] == 0"), "1");
  assert.equal((await move(dc, "continue")).reason, "halt");
  assert.equal((await move(dc, "reverseContinue")).reason, "data breakpoint");
  assert.equal(await at(dc), line("again"));
  assert.equal(await value(dc, "m1[0x40] == 0"), "1");
});

test("places are watched as the command line writes them", async (t) => {
  const dc = await launched(t);
  for (const name of ["m1@0x40", "key + 16"]) {
    const { dataId } = await ask(dc, "dataBreakpointInfo", { name });
    const { breakpoints } = await ask(dc, "setDataBreakpoints", { breakpoints: [{ dataId, accessType: "write" }] });
    assert.equal(breakpoints[0].verified, true);
  }
});

test("what cannot be watched is told", async (t) => {
  const dc = await launched(t);
  assert.equal((await ask(dc, "dataBreakpointInfo", { name: "v0 ^ v1" })).dataId, null);
  assert.equal((await ask(dc, "dataBreakpointInfo", { name: "nothing" })).dataId, null);
  const { breakpoints } = await ask(dc, "setDataBreakpoints", { breakpoints: [{ dataId: "v0", accessType: "read" }] });
  assert.match(breakpoints[0].message, /writes only/);
});

test("a list replaces the one before, and leaves those of other groups", async (t) => {
  const dc = await launched(t);
  await breakAt(dc, "store", "call");
  await ask(dc, "setFunctionBreakpoints", { breakpoints: [{ name: "again" }] });
  await breakAt(dc, "after");
  assert.equal((await move(dc, "continue")).reason, "function breakpoint");
  await ask(dc, "setFunctionBreakpoints", { breakpoints: [] });
  assert.equal((await move(dc, "continue")).reason, "breakpoint");
  assert.equal(await at(dc), line("after"));
});

test("breakpoints that come before the launch wait for it", async (t) => {
  const { client } = require("./client");
  const dc = await client(t);
  await dc.initializeRequest({ adapterID: "lutra" });
  assert.equal((await breakAt(dc, "call"))[0].verified, false);
  await launched(t, { stopOnEntry: false }, async () => {}, dc);
  assert.equal(await at(dc), line("call"));
});

test("lines that can have breakpoints", async (t) => {
  const dc = await launched(t);
  const asked = { source: { path: PROGRAM }, line: line("store") - 2, endLine: line("call") };
  const { breakpoints } = await ask(dc, "breakpointLocations", asked);
  assert.deepEqual(breakpoints.map((one) => one.line), [line("store") - 2, line("macro"), line("store"), line("call")]);
});

test("breakpoints are set while a program runs", async (t) => {
  const dc = await launched(t, { entry: ["forever"], maxCycles: 0 });
  const stopped = dc.waitForEvent("stopped", TIMEOUT);
  await ask(dc, "continue", { threadId: 1 });
  await breakAt(dc, "forever");
  assert.equal((await stopped).body.reason, "breakpoint");
});

test("a log point in a loop without end can be paused", async (t) => {
  const dc = await launched(t, { entry: ["forever"], maxCycles: 0 });
  await breakAt(dc, { at: "forever", logMessage: "{v4.w[3]}" });
  await ask(dc, "continue", { threadId: 1 });
  await dc.waitForEvent("output", TIMEOUT);
  const stopped = dc.waitForEvent("stopped", TIMEOUT);
  await ask(dc, "pause", { threadId: 1 });
  await stopped;
});

test("a condition that never holds can be paused", async (t) => {
  const dc = await launched(t, { entry: ["forever"], maxCycles: 0 });
  await breakAt(dc, { at: "forever", condition: "v4 == hex:ff" });
  await ask(dc, "continue", { threadId: 1 });
  const stopped = dc.waitForEvent("stopped", TIMEOUT);
  await ask(dc, "pause", { threadId: 1 });
  assert.equal((await stopped).body.reason, "pause");
});

test("more breakpoints than a program has words are refused at once", async (t) => {
  const dc = await launched(t);
  const many = Array.from({ length: 100000 }, () => ({ line: line("store") }));
  assert.match(await refused(dc, "setBreakpoints", { source: { path: PROGRAM }, breakpoints: many }), /there may be 1024/);
});
