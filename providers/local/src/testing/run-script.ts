import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ScriptRun {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a shell script to its end and returns its standard output and standard error. */
export function runScript(path: string, shell = "/bin/sh"): Promise<ScriptRun> {
  return new Promise((resolve) => {
    const child = execFile(shell, [path], { encoding: "utf8" }, (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr });
    });
  });
}

/** A directory for one test, removed when the given function has ended. */
export async function withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "butler-bootstrap-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Runs the text of a script. */
export async function runScriptText(script: string, directory: string): Promise<ScriptRun> {
  const path = join(directory, "script.sh");
  await writeFile(path, script);
  return runScript(path);
}
