// Runs the bundled extension against a stub of VS Code, and prints what it makes known, as JSON.
"use strict";
const Module = require("node:module");
const path = require("node:path");

const [, , bundle, folder, setting] = process.argv;
const made = { factories: {}, providers: [], commands: [], tasks: [], errors: [] };
const disposable = { dispose() {} };
const document = { languageId: "lutra-asm", uri: { fsPath: path.join(folder, "cipher.s"), scheme: "file" } };
class Plain {
  constructor(...given) {
    this.given = given;
  }
}
// Whatever else the language client takes from VS Code when it is loaded.
const anything = () =>
  new Proxy(class {}, { get: (target, name) => (name in target ? target[name] : name === "prototype" ? {} : anything()) });

const known = {
  workspace: {
    workspaceFolders: [{ uri: { fsPath: folder } }],
    getWorkspaceFolder: () => ({ uri: { fsPath: folder } }),
    getConfiguration: () => ({ get: (name, other) => ({ path: setting, "server.enabled": false })[name] ?? other }),
    onDidChangeConfiguration: () => disposable,
  },
  window: {
    activeTextEditor: { document },
    showErrorMessage: (text) => made.errors.push(text),
  },
  debug: {
    registerDebugAdapterDescriptorFactory: (type, factory) => ((made.factories[type] = factory), disposable),
    registerDebugConfigurationProvider: (_type, provider) => (made.providers.push(provider), disposable),
    startDebugging: async (_folder, configuration) => made.started = configuration,
  },
  commands: { registerCommand: (name, run) => (made.commands.push([name, run]), disposable) },
  tasks: { registerTaskProvider: (type, provider) => (made.tasks.push([type, provider]), disposable) },
  DebugAdapterExecutable: Plain,
  ProcessExecution: Plain,
  Task: Plain,
  TaskGroup: { Build: "build", Test: "test" },
  TaskScope: { Workspace: 2 },
};
const vscode = new Proxy(known, { get: (target, name) => (name in target ? target[name] : anything()) });
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

(async () => {
  const extension = require(bundle);
  const context = { subscriptions: [] };
  await extension.activate(context);
  const adapter = made.factories.lutra.createDebugAdapterDescriptor({ workspaceFolder: undefined });
  const configuration = made.providers[0].resolveDebugConfiguration(undefined, {});
  await made.commands.find(([name]) => name === "lutra.debugFile")[1]();
  const tasks = made.tasks[0][1].provideTasks();
  await extension.deactivate();
  const said = {
    adapter: adapter.given,
    configuration,
    started: made.started,
    commands: made.commands.map(([name]) => name),
    tasks: tasks.map(({ given }) => ({ definition: given[0], name: given[2], process: given[4].given.slice(0, 2), matcher: given[5] })),
    errors: made.errors,
  };
  console.log(JSON.stringify(said));
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
