// An editor's side of the protocol, by Microsoft's client for tests of debug adapters.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

// pytest names the command, and the folder with copies of the sources.
const LUTRA = process.env.LUTRA_COMMAND;
const FOLDER = process.env.LUTRA_FOLDER;
const PROGRAM = path.join(FOLDER, "program.s");
const MACROS = path.join(FOLDER, "round.inc");
const TIMEOUT = 60000;

/** The number of the line that ends with `@name`. */
function line(name, file = PROGRAM) {
  const found = fs.readFileSync(file, "utf8").split("\n").findIndex((text) => text.endsWith(`// @${name}`));
  assert.notEqual(found, -1, name);
  return found + 1;
}

/** A client of a new adapter that ends with the test. */
async function client(test, command = LUTRA, argument = "dap") {
  const dc = new DebugClient(command, argument, "lutra", { cwd: FOLDER });
  dc.defaultTimeout = TIMEOUT;
  await dc.start();
  test.after(() => dc.stopAdapter());
  return dc;
}

/** A client whose program has been launched; `prepare` sets breakpoints before it starts. Returns it where it stops. */
async function launched(test, launch = {}, prepare = async () => {}, dc = undefined, capabilities = {}) {
  const made = dc ?? (await client(test));
  await made.initializeRequest({ adapterID: "lutra", pathFormat: "path", linesStartAt1: true, columnsStartAt1: true, ...capabilities });
  const initialized = made.waitForEvent("initialized", TIMEOUT);
  await made.customRequest("launch", { program: PROGRAM, stopOnEntry: true, ...launch });
  await initialized;
  await prepare(made);
  const stopped = made.waitForEvent("stopped", TIMEOUT);
  await made.customRequest("configurationDone");
  made.stop_ = (await stopped).body;
  return made;
}

/** A move, and the event that ends it. */
async function move(dc, command, args = {}) {
  const stopped = dc.waitForEvent("stopped", TIMEOUT);
  await dc.customRequest(command, { threadId: 1, ...args });
  return (await stopped).body;
}

/** The body of an answer. */
async function ask(dc, command, args = {}) {
  return (await dc.customRequest(command, args)).body;
}

/** The text of an error. */
async function refused(dc, command, args = {}) {
  try {
    await dc.customRequest(command, args);
  } catch (error) {
    assert.ok(!/Traceback|internal error|\n/.test(error.message), error.message);
    return error.message;
  }
  assert.fail(`${command} is not refused`);
}

/** Where the program is: lines of the stack, innermost first. */
async function stack(dc) {
  const { stackFrames } = await ask(dc, "stackTrace", { threadId: 1 });
  return stackFrames;
}
async function at(dc) {
  return (await stack(dc))[0].line;
}

/** What an expression comes to. */
async function value(dc, expression) {
  return (await ask(dc, "evaluate", { expression, context: "watch" })).result;
}

/** Breakpoints at lines of the program: names, or names with conditions. */
async function breakAt(dc, ...wanted) {
  const points = wanted.map((one) => (typeof one === "string" ? { line: line(one) } : { ...one, line: line(one.at) }));
  return (await ask(dc, "setBreakpoints", { source: { path: PROGRAM }, breakpoints: points })).breakpoints;
}

module.exports = { assert, FOLDER, LUTRA, MACROS, PROGRAM, TIMEOUT, ask, at, breakAt, client, launched, line, move, refused, stack, value };
