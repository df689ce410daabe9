import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const program = "openssl";

/** Whether the `openssl` command is available for comparison. */
export const hasOpenssl = spawnSync(program, ["version"]).status === 0;

/** Runs `openssl` in its own folder with the given files, and returns its output. */
export class Openssl {
  readonly #directory = mkdtempSync(join(tmpdir(), "butler-pki-"));

  constructor(files: Readonly<Record<string, string>> = {}) {
    onTestFinished(() => rmSync(this.#directory, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.#directory, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.#directory, name), "utf8");
  }

  run(...args: readonly string[]): string {
    return execFileSync(program, args, { cwd: this.#directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }
}
