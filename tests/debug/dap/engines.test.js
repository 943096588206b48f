// The same on every engine; a divergence, and a known answer that is wrong.
"use strict";
const path = require("node:path");
const { test } = require("node:test");
const { assert, FOLDER, TIMEOUT, ask, at, breakAt, client, launched, line, move, refused, stack, value } = require("./client");

for (const engine of ["iss", "rtl", "cosim"]) {
  test(`forward and back on ${engine}`, async (t) => {
    const dc = await launched(t, { engine });
    assert.match((await ask(dc, "threads")).threads[0].name, new RegExp(engine));
    await breakAt(dc, "call");
    await move(dc, "continue");
    const v0 = await value(dc, "v0");
    await ask(dc, "setDataBreakpoints", { breakpoints: [{ dataId: "m1[0x40]" }] });
    assert.equal((await move(dc, "continue")).reason, "data breakpoint");
    assert.equal(await value(dc, "m1[0x40] == v0"), "1");
    assert.equal((await move(dc, "reverseContinue")).reason, "data breakpoint");
    assert.equal(await at(dc), line("again"));
    assert.equal((await move(dc, "reverseContinue")).reason, "breakpoint");
    assert.equal(await at(dc), line("call"));
    assert.equal(await value(dc, "v0"), v0);
    await move(dc, "stepBack");
    assert.equal(await at(dc), line("store"));
    assert.equal((await move(dc, "next")).reason, "breakpoint");
    // What the host sets on its own; a core that runs is not written to.
    const written = { memoryReference: "m2@0x0", data: Buffer.alloc(16, 7).toString("base64") };
    const change = { expression: "v0", value: "hex:" + "5a".repeat(16) };
    if (engine === "iss") {
      await ask(dc, "setExpression", change);
      await move(dc, "continue");
      assert.equal(await value(dc, "m1[0x40] == hex:" + "5a".repeat(16)), "1");
      assert.equal((await ask(dc, "writeMemory", written)).bytesWritten, 16);
    } else {
      assert.match(await refused(dc, "setExpression", change), /set by its own instructions; set them on engine iss$/);
      assert.match(await refused(dc, "writeMemory", written), /a running core is not written to/);
    }
    await ask(dc, "setDataBreakpoints", { breakpoints: [] });
    assert.equal((await move(dc, "continue")).reason, "halt");
    assert.equal(await value(dc, "v2 == hex:" + "07".repeat(16)), engine === "iss" ? "1" : "0");
  });
}

test("a divergence stops before the instruction in which simulator and core differ", async (t) => {
  const dc = await client(t, process.env.LUTRA_PYTHON, path.join(__dirname, "diverging_adapter.py"));
  const said = [];
  dc.on("output", (event) => said.push(event.body.output));
  await launched(t, { engine: "cosim" }, async () => {}, dc);
  await ask(dc, "setExceptionBreakpoints", { filters: ["trap", "divergence"] });
  const stop = await move(dc, "continue");
  assert.equal(stop.reason, "exception");
  assert.equal(await at(dc), line("main") + 1);
  assert.match(said.join(""), /- simulator: .*\n.*\+ RTL/s);
  assert.equal((await ask(dc, "exceptionInfo", { threadId: 1 })).exceptionId, "divergence");
  await move(dc, "stepBack");
  assert.equal(await at(dc), line("main"));
});

test("a known answer that is wrong opens where its first wrong byte was written", async (t) => {
  const wrong = { kat: path.join(FOLDER, "vectors.json"), manifest: [path.join(FOLDER, "sm4")], program: undefined };
  const dc = await launched(t, { ...wrong, stopOnEntry: false });
  assert.equal(dc.stop_.reason, "exception");
  assert.match(dc.stop_.text, /^byte 0 of the answer is 0x[0-9a-f]{2}, not 0x68/);
  assert.ok((await stack(dc))[0].line > 0);
  await move(dc, "stepBack");
  const exited = dc.waitForEvent("exited", TIMEOUT);
  assert.equal((await move(dc, "continue")).reason, "exception");
  await ask(dc, "continue", { threadId: 1 });
  assert.equal((await exited).body.exitCode, 1);
});
