// Which `lutra` is run: that of the settings, of a checkout, or of PATH.
import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

/** The command `lutra` for a folder of the workspace. */
export function lutra(folder: vscode.WorkspaceFolder | undefined): string {
  const given = vscode.workspace.getConfiguration("lutra", folder?.uri).get<string>("path", "").trim();
  if (given) return given.replace(/\$\{workspaceFolder\}/g, folder?.uri.fsPath ?? "");
  const own = folder && path.join(folder.uri.fsPath, "lutra");
  return own && isProgram(own) ? own : "lutra";
}

/** The folder of the workspace that a file belongs to, or the first one. */
export function folderOf(file: vscode.Uri | undefined): vscode.WorkspaceFolder | undefined {
  return (file && vscode.workspace.getWorkspaceFolder(file)) ?? vscode.workspace.workspaceFolders?.[0];
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
