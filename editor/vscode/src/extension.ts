// The extension: debugger, tasks and language server of `lutra`. Colours come from the grammar alone.
import * as vscode from "vscode";
import { registerDebugger } from "./debugger";
import { restartServer, startServer, stopServer } from "./server";
import { registerTasks } from "./tasks";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  registerDebugger(context);
  registerTasks(context);
  context.subscriptions.push(
    vscode.commands.registerCommand("lutra.restartServer", restartServer),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("lutra")) await restartServer();
    }),
  );
  await startServer();
}

export async function deactivate(): Promise<void> {
  await stopServer();
}
