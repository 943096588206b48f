// The debugger: `lutra dap` as the debug adapter, and a configuration where there is no launch.json.
import * as vscode from "vscode";
import { folderOf, lutra } from "./command";

const TYPE = "lutra";

class Adapters implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const folder = session.workspaceFolder ?? folderOf(undefined);
    const options = folder ? { cwd: folder.uri.fsPath } : undefined;
    return new vscode.DebugAdapterExecutable(lutra(folder), ["dap"], options);
  }
}

class Configurations implements vscode.DebugConfigurationProvider {
  /** F5 without a launch.json debugs the file that is open. */
  resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration | undefined {
    if (given.type || given.request || given.name) return given;
    const file = vscode.window.activeTextEditor?.document;
    return file?.languageId === "lutra-asm" ? thisFile(file.uri) : undefined;
  }
}

function thisFile(file: vscode.Uri): vscode.DebugConfiguration {
  return { type: TYPE, request: "launch", name: "Debug this file", program: file.fsPath, stopOnEntry: true };
}

async function debugFile(file: vscode.Uri | undefined): Promise<void> {
  const wanted = file ?? vscode.window.activeTextEditor?.document.uri;
  if (!wanted) {
    void vscode.window.showErrorMessage("Open an assembly file, then debug it.");
    return;
  }
  await vscode.debug.startDebugging(folderOf(wanted), thisFile(wanted));
}

/** Makes the debugger known. */
export function registerDebugger(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, new Adapters()),
    vscode.debug.registerDebugConfigurationProvider(TYPE, new Configurations()),
    vscode.commands.registerCommand("lutra.debugFile", debugFile),
  );
}
