import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const program = "openssl";

/** True where the `openssl` command can be asked for a second opinion. */
export const hasOpenssl = spawnSync(program, ["version"]).status === 0;

/** Runs `openssl` in a folder of its own that holds the given files, and returns what it prints. */
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
