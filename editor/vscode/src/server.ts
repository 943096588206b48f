// The language server, `lutra lsp`: started with the first assembly file, restarted by a command or a changed setting.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { folderOf, lutra } from "./command";

// The settings that are the server's; the others say how it is started.
const SETTINGS = ["includeFolders", "defines", "warnings", "delay", "drawing", "hints", "headers", "headerSeconds"];

let client: LanguageClient | undefined;

/** Starts the server, if the settings want it. */
export async function startServer(): Promise<void> {
  const folder = folderOf(vscode.window.activeTextEditor?.document.uri);
  if (!vscode.workspace.getConfiguration("lutra", folder?.uri).get<boolean>("server.enabled", true)) return;
  const command = lutra(folder);
  const server: ServerOptions = { command, args: ["lsp"], options: folder ? { cwd: folder.uri.fsPath } : {} };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", language: "lutra-asm" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{s,inc}") },
    middleware: { workspace: { configuration: async (params, token, next) => known(await next(params, token)) } },
  };
  client = new LanguageClient("lutra", "Lutra", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`${command} lsp does not start: ${reason}. The setting lutra.path names the command.`);
  }
}

/** What the server is told where it asks for the settings. */
function known(answer: unknown): any {
  if (!Array.isArray(answer)) return answer;
  return answer.map((one) => Object.fromEntries(Object.entries(one ?? {}).filter(([name]) => SETTINGS.includes(name))));
}

/** Ends the server. */
export async function stopServer(): Promise<void> {
  const ended = client;
  client = undefined;
  await ended?.stop();
}

/** Ends the server and starts it again. */
export async function restartServer(): Promise<void> {
  await stopServer();
  await startServer();
}
