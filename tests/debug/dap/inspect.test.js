// What can be looked at and changed where a program stands.
"use strict";
const { test } = require("node:test");
const { assert, MACROS, PROGRAM, TIMEOUT, ask, at, breakAt, launched, line, move, refused, stack, value } = require("./client");

/** The scopes by name, each with its variables by name. */
async function scopes(dc, ...names) {
  const { scopes } = await ask(dc, "scopes", { frameId: (await stack(dc))[0].id });
  const found = {};
  for (const scope of scopes.filter((one) => names.includes(one.name))) {
    const { variables } = await ask(dc, "variables", { variablesReference: scope.variablesReference, start: 0, count: 20 });
    found[scope.name] = Object.fromEntries(variables.map((one) => [one.name, { ...one, container: scope.variablesReference }]));
  }
  return found;
}

test("the stack has macros and calls, and scopes have loops and all registers", async (t) => {
  const dc = await launched(t);
  await ask(dc, "setBreakpoints", { source: { path: MACROS }, breakpoints: [{ line: line("rotate", MACROS) }] });
  await move(dc, "continue");
  const frames = await stack(dc);
  assert.deepEqual(frames.map((frame) => frame.name), ["round (macro)", "double_round (macro)", "main"]);
  assert.deepEqual(frames.map((frame) => frame.source.path), [MACROS, MACROS, PROGRAM]);
  const names = ["Vector registers", "Address registers", "Control", "Stream contexts", "Loops", "Memories"];
  const found = await scopes(dc, ...names);
  assert.deepEqual(Object.keys(found), names);
  assert.match(Object.values(found.Loops)[0].value, /^0 done, 3 left/);
  assert.match(found["Address registers"].ar0.value, /0x0*20/);
  assert.ok("flag" in found.Control && "c0" in found["Stream contexts"] && "m0" in found.Memories);
  const part = await ask(dc, "stackTrace", { threadId: 1, startFrame: 1, levels: 1 });
  assert.deepEqual([part.stackFrames.length, part.totalFrames], [1, 3]);
});

test("next goes over a macro and a call, stepIn into them, stepOut out of them", async (t) => {
  const dc = await launched(t);
  await breakAt(dc, "macro", "call");
  await move(dc, "continue");
  await move(dc, "stepIn");
  assert.ok((await stack(dc)).length > 1);
  await move(dc, "stepOut");
  await breakAt(dc, "call");
  await move(dc, "continue");
  await move(dc, "next");
  assert.equal(await at(dc), line("notify"));
  await move(dc, "stepBack");
  assert.equal(await at(dc), line("call"));
  await move(dc, "stepIn");
  assert.deepEqual((await stack(dc)).map((frame) => frame.line), [line("twice"), line("call")]);
  await move(dc, "stepOut");
  assert.equal(await at(dc), line("notify"));
});

test("an instruction is the smallest step", async (t) => {
  const dc = await launched(t);
  const pc = async () => Number(await value(dc, "time").then((text) => text.split(" ")[0]));
  const before = await pc();
  await move(dc, "next", { granularity: "instruction" });
  await move(dc, "stepIn", { granularity: "instruction" });
  assert.equal(await pc(), before + 2);
  await move(dc, "stepBack", { granularity: "instruction" });
  assert.equal(await pc(), before + 1);
});

test("a vector has words and bytes, and views that a source comment names", async (t) => {
  const dc = await launched(t);
  await move(dc, "next");
  const { v0 } = (await scopes(dc, "Vector registers"))["Vector registers"];
  assert.match(v0.value, /00010203 04050607|00 04 08 0c/);
  const { variables } = await ask(dc, "variables", { variablesReference: v0.variablesReference });
  const rows = variables.filter((one) => one.name.startsWith("state")).map((one) => one.value);
  assert.deepEqual(rows, ["00 04 08 0c", "01 05 09 0d", "02 06 0a 0e", "03 07 0b 0f"]);
  const words = variables.find((one) => one.name === "w[]");
  const parts = await ask(dc, "variables", { variablesReference: words.variablesReference, filter: "indexed", start: 1, count: 2 });
  assert.deepEqual(parts.variables.map((one) => one.evaluateName), ["v0.w[1]", "v0.w[2]"]);
});

test("variables and expressions are set", async (t) => {
  const dc = await launched(t, {}, async () => {}, undefined, { supportsMemoryEvent: true });
  const found = await scopes(dc, "Vector registers", "Address registers", "Control", "Memories");
  const { ar0 } = found["Address registers"];
  await ask(dc, "setVariable", { variablesReference: ar0.container, name: "ar0", value: "0x30" });
  assert.match(await value(dc, "ar0"), /0x30/);
  await ask(dc, "setExpression", { expression: "v3.w[1]", value: "hex:01020304" });
  assert.equal((await value(dc, "v3")).split(" ")[1], "01020304");
  const { m0 } = found.Memories;
  assert.match(await refused(dc, "setVariable", { variablesReference: m0.container, name: "m0", value: "1" }), /no place of its own/);
  assert.match(await refused(dc, "setExpression", { expression: "v0", value: "nothing" }), /nothing/);
});

test("expressions, commands and their completion", async (t) => {
  const dc = await launched(t);
  assert.equal(await value(dc, "1 + 2"), "3");
  assert.match(await refused(dc, "evaluate", { expression: "v0 ^", context: "hover" }), /v0/);
  const command = (expression) => ask(dc, "evaluate", { expression, context: "repl" });
  assert.match((await command("info registers")).result, /ar0/);
  assert.match(await refused(dc, "evaluate", { expression: "frobnicate", context: "repl" }), /no command/);
  const made = dc.waitForEvent("breakpoint", TIMEOUT);
  await command("break twice");
  assert.equal((await made).body.reason, "new");
  const stopped = dc.waitForEvent("stopped", TIMEOUT);
  await command("continue");
  assert.equal((await stopped).body.reason, "breakpoint");
  assert.equal(await at(dc), line("twice"));
  const { targets } = await ask(dc, "completions", { text: "reverse-c", column: 10 });
  assert.deepEqual(targets.map((one) => [one.label, one.start, one.length]), [["reverse-continue", 1, 9]]);
});

test("the last writer of a value is a command away", async (t) => {
  const dc = await launched(t);
  await breakAt(dc, "after");
  await move(dc, "continue");
  const { result } = await ask(dc, "evaluate", { expression: "last m1[0x40]", context: "repl" });
  assert.match(result, new RegExp(`program\\.s:${line("again")}`));
});

test("memory is read and written, to the end of it and not beyond", async (t) => {
  const dc = await launched(t);
  const read = async (args) => ask(dc, "readMemory", { memoryReference: "m0@0x0", ...args });
  assert.equal(Buffer.from((await read({ count: 4 })).data, "base64").toString("hex"), "00010203");
  const written = { memoryReference: "m0@0x0", offset: 2, data: Buffer.from("aabb", "hex").toString("base64") };
  assert.equal((await ask(dc, "writeMemory", written)).bytesWritten, 2);
  assert.equal(Buffer.from((await read({ count: 5 })).data, "base64").toString("hex"), "0001aabb04");
  const end = await read({ offset: 4090, count: 10 });
  assert.equal(end.unreadableBytes, 4);
  assert.equal((await read({ offset: -5, count: 10 })).unreadableBytes, 10);
  assert.match(await refused(dc, "writeMemory", { ...written, offset: 4095 }), /do not fit/);
  assert.equal((await ask(dc, "writeMemory", { ...written, offset: 4095, allowPartial: true })).bytesWritten, 1);
  assert.match(await refused(dc, "writeMemory", { ...written, data: "?" }), /base64/);
  assert.match(await refused(dc, "readMemory", { memoryReference: "v0", count: 1 }), /such as m1@0x40/);
  assert.match(await refused(dc, "readMemory", { memoryReference: "m9@0", count: 1 }), /m9/);
});

test("program memory is disassembled with labels and lines, as many as asked for", async (t) => {
  const dc = await launched(t);
  const { instructions } = await ask(dc, "disassemble", { memoryReference: "0x0000", instructionOffset: -2, instructionCount: 6 });
  assert.equal(instructions.length, 6);
  assert.deepEqual(instructions.slice(0, 2).map((one) => one.presentationHint), ["invalid", "invalid"]);
  assert.match(instructions[2].instruction, /^mov\s+v0/);
  assert.deepEqual([instructions[2].symbol, instructions[2].line, instructions[2].location.path], ["main", line("main"), PROGRAM]);
  assert.match(await refused(dc, "disassemble", { memoryReference: "main", instructionCount: 1 }), /not an address/);
});

test("sources are listed and read", async (t) => {
  const dc = await launched(t);
  const { sources } = await ask(dc, "loadedSources");
  assert.deepEqual(new Set(sources.map((one) => one.path)), new Set([PROGRAM, MACROS]));
  assert.match((await ask(dc, "source", { source: { path: MACROS }, sourceReference: 0 })).content, /\.macro {2}round/);
  assert.match(await refused(dc, "source", { sourceReference: 7 }), /unknown source 7/);
  for (const path of ["/etc/passwd", "../../../README.md", __filename])
    assert.match(await refused(dc, "source", { source: { path } }), /was not assembled from/);
});

test("a client that counts lines from 0 is served so", async (t) => {
  const dc = await launched(t, {}, async () => {}, undefined, { linesStartAt1: false });
  assert.equal(await at(dc), line("main") - 1);
});

test("references of before a move are gone", async (t) => {
  const dc = await launched(t);
  const { "Vector registers": vectors } = await scopes(dc, "Vector registers");
  await move(dc, "next");
  assert.match(await refused(dc, "variables", { variablesReference: vectors.v0.variablesReference }), /until the next move/);
});
