// Forward and back over runs that are long.
"use strict";
const { test } = require("node:test");
const { assert, TIMEOUT, ask, at, breakAt, launched, line, move, refused, value } = require("./client");

const number = async (dc, what) => Number((await value(dc, what)).split(" ")[0]);

test("a run of millions of instructions is gone back over, step by step and by breakpoints", async (t) => {
  const dc = await launched(t, { entry: ["long"] });
  assert.equal((await move(dc, "continue")).reason, "halt");
  const end = await number(dc, "time");
  assert.ok(end > 1_000_000);
  await move(dc, "stepBack");
  assert.equal(await number(dc, "time"), end - 1);
  await breakAt(dc, "outer");
  for (let pass = 0; pass < 3; pass++) {
    assert.equal((await move(dc, "reverseContinue")).reason, "breakpoint");
    assert.equal(await at(dc), line("outer"));
    assert.equal(await number(dc, "ar1"), pass + 1);
  }
  await breakAt(dc, "long");
  assert.equal((await move(dc, "reverseContinue")).reason, "breakpoint");
  assert.equal(await number(dc, "time"), 0);
  assert.equal((await move(dc, "reverseContinue")).reason, "entry");
});

test("data breakpoints are met backwards over a long run", async (t) => {
  const dc = await launched(t, { entry: ["long"] });
  await move(dc, "continue");
  await ask(dc, "setDataBreakpoints", { breakpoints: [{ dataId: "m1[0]" }] });
  for (let pass = 1; pass <= 2; pass++) {
    assert.equal((await move(dc, "reverseContinue")).reason, "data breakpoint");
    assert.equal(await at(dc), line("outer"));
    assert.equal(await number(dc, "ar1"), pass);
  }
});

test("an endless program is paused, shows its progress, and is gone back over", async (t) => {
  const dc = await launched(t, { entry: ["forever"], maxCycles: 0 }, async () => {}, undefined, { supportsProgressReporting: true });
  const shown = ["progressStart", "progressUpdate"].map((name) => dc.waitForEvent(name, TIMEOUT));
  await ask(dc, "continue", { threadId: 1 });
  assert.match(await refused(dc, "stackTrace", { threadId: 1 }), /notStopped/);
  assert.equal((await ask(dc, "threads")).threads.length, 1);
  const [start] = await Promise.all(shown);
  assert.equal(start.body.cancellable, true);
  const ended = [dc.waitForEvent("progressEnd", TIMEOUT), dc.waitForEvent("stopped", TIMEOUT)];
  await ask(dc, "pause", { threadId: 1 });
  assert.equal((await Promise.all(ended))[1].body.reason, "pause");
  const now = await number(dc, "time");
  assert.ok(now > 100_000);
  await move(dc, "stepBack", { granularity: "instruction" });
  assert.equal(await number(dc, "time"), now - 1);
});

test("a long run is ended by disconnect", async (t) => {
  const dc = await launched(t, { entry: ["forever"], maxCycles: 0 });
  await ask(dc, "continue", { threadId: 1 });
  const exit = new Promise((resolve) => dc._adapterProcess.on("exit", resolve));
  await ask(dc, "disconnect");
  assert.equal(await exit, 0);
});

test("a command that runs on is paused too", async (t) => {
  const dc = await launched(t, { entry: ["forever"], maxCycles: 0 });
  const said = ask(dc, "evaluate", { expression: "continue", context: "repl" });
  const stopped = dc.waitForEvent("stopped", TIMEOUT);
  await ask(dc, "pause", { threadId: 1 });
  await Promise.all([said, stopped]);
});

test("the limit of cycles stops, and can be gone over", async (t) => {
  const dc = await launched(t, { entry: ["forever"], maxCycles: 1000 });
  assert.equal((await move(dc, "continue")).reason, "limit");
  const first = await number(dc, "time");
  assert.equal((await move(dc, "continue")).reason, "limit");
  assert.ok((await number(dc, "time")) > first);
});
