// Tasks on the file that is open: assemble, run, test its folder, profile.
import * as path from "node:path";
import * as vscode from "vscode";
import { folderOf, lutra } from "./command";

interface Definition extends vscode.TaskDefinition {
  command: string;
  args?: string[];
}

// What each command is given, and what the task is called.
const COMMANDS: Record<string, { name: string; group?: vscode.TaskGroup; of: (file: string) => string[] }> = {
  asm: {
    name: "assemble this file",
    group: vscode.TaskGroup.Build,
    of: (file) => [file, "-o", file.replace(/\.s$/, "") + ".elf"],
  },
  run: { name: "run this file", of: (file) => [file] },
  test: { name: "test this folder", group: vscode.TaskGroup.Test, of: (file) => [path.dirname(file)] },
  profile: { name: "profile this file", of: (file) => [file] },
};

class Tasks implements vscode.TaskProvider {
  provideTasks(): vscode.Task[] {
    const open = vscode.window.activeTextEditor?.document;
    if (open?.languageId !== "lutra-asm") return [];
    return Object.keys(COMMANDS).map((command) => task({ type: "lutra", command }, open.uri));
  }

  resolveTask(given: vscode.Task): vscode.Task | undefined {
    const definition = given.definition as Definition;
    const open = vscode.window.activeTextEditor?.document.uri;
    return COMMANDS[definition.command] && open ? task(definition, open) : undefined;
  }
}

function task(definition: Definition, file: vscode.Uri): vscode.Task {
  const { name, group, of } = COMMANDS[definition.command]!;
  const folder = folderOf(file);
  const args = [definition.command, ...of(file.fsPath), ...(definition.args ?? [])];
  const made = new vscode.Task(
    definition,
    folder ?? vscode.TaskScope.Workspace,
    name,
    "lutra",
    new vscode.ProcessExecution(lutra(folder), args, folder ? { cwd: folder.uri.fsPath } : {}),
    "$lutra",
  );
  if (group) made.group = group;
  return made;
}

/** Makes the tasks known. */
export function registerTasks(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.tasks.registerTaskProvider("lutra", new Tasks()));
}
