import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureProgram } from "../../lib/ensure-program.ts";

const run = promisify(execFile);
const tmux = {
  name: "tmux",
  variable: "BUTLER_TMUX",
  places: ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"],
  package: "tmux",
} as const;

/** Size of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const settings = "set -g status off\nset -g escape-time 0\nset -g history-limit 0\n";

/** A real terminal with a shell, for typing and reading. */
export class Tmux {
  readonly #program: string;
  readonly #directory: string;

  private constructor(program: string, directory: string) {
    this.#program = program;
    this.#directory = directory;
  }

  /** Opens a terminal. The caller must close it. */
  static async open({ columns, rows }: Size, environment: Readonly<Record<string, string>>): Promise<Tmux> {
    const terminal = new Tmux(await ensureProgram(tmux), await mkdtemp(join(tmpdir(), "butler-tmux-")));
    const file = join(terminal.#directory, "tmux.conf");
    await writeFile(file, settings);
    const variables = Object.entries({ ...environment, LC_ALL: "C.UTF-8", PS1: "$ " }).flatMap(([name, value]) => [
      "-e",
      `${name}=${value}`,
    ]);
    const session = ["new-session", "-d", "-x", String(columns), "-y", String(rows), ...variables];
    await terminal.#tmux(["-u", "-f", file, ...session, "sh"]);
    return terminal;
  }

  /** Types text literally. */
  async type(text: string): Promise<void> {
    await this.#tmux(["send-keys", "-l", text]);
  }

  /** Presses keys by their names in tmux, such as Enter, Escape, BTab or C-c. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux(["send-keys", ...keys]);
  }

  /** The screen, line by line, without trailing spaces. */
  async screen(): Promise<string[]> {
    const text = await this.#tmux(["capture-pane", "-p"]);
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => line.trimEnd());
  }

  /** The screen with its color codes. */
  async painted(): Promise<string> {
    return this.#tmux(["capture-pane", "-p", "-e"]);
  }

  async resize({ columns, rows }: Size): Promise<void> {
    await this.#tmux(["resize-window", "-x", String(columns), "-y", String(rows)]);
  }

  /** A tmux variable of the terminal, such as `alternate_on`, `cursor_flag` or `pane_pid`. */
  async fact(name: string): Promise<string> {
    return (await this.#tmux(["display-message", "-p", `#{${name}}`])).trim();
  }

  /** Sends a signal to the program that runs in the shell. */
  async signal(name: string): Promise<void> {
    const { stdout } = await run("ps", ["-o", "pid=", "--ppid", await this.fact("pane_pid")]);
    for (const pid of stdout.trim().split(/\s+/)) await run("kill", [`-${name}`, pid]);
  }

  async close(): Promise<void> {
    await this.#tmux(["kill-server"]).catch(() => undefined);
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #tmux(words: readonly string[]): Promise<string> {
    // A separate server, isolated from other sessions, settings and variables.
    const { HOME, PATH } = process.env;
    const options = { env: { HOME, PATH } };
    const { stdout } = await run(this.#program, ["-S", join(this.#directory, "socket"), ...words], options);
    return stdout;
  }
}
