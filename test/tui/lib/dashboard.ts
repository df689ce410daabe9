import { fileURLToPath } from "node:url";
import { programFile } from "@butler/cli-kit/testing";
import { eventually } from "@butler/testkit";
import { type Size, Tmux } from "./tmux.ts";

const main = fileURLToPath(new URL("../../../apps/butleradm/src/main.ts", import.meta.url));
const program = `${process.execPath} ${programFile("butleradm", main)}`;

/** The dashboard in a real terminal. */
export class Dashboard {
  readonly terminal: Tmux;

  private constructor(terminal: Tmux) {
    this.terminal = terminal;
  }

  /** Opens a terminal and starts the dashboard in it. The caller must close it. */
  static async open(size: Size, kubeconfig: string, environment: Readonly<Record<string, string>> = {}) {
    const { HOME = "", PATH = "" } = process.env;
    const terminal = await Tmux.open(size, { HOME, PATH, KUBECONFIG: kubeconfig, ...environment });
    await terminal.type(`echo before; ${program} tui; echo ended with $?`);
    await terminal.press("Enter");
    return new Dashboard(terminal);
  }

  /** Waits until the screen contains all texts, and returns it. */
  async shows(...texts: readonly string[]): Promise<string[]> {
    let seen: string[] = [];
    return eventually(
      async () => {
        seen = await this.terminal.screen();
        const whole = seen.join("\n");
        return texts.every((text) => whole.includes(text)) ? seen : undefined;
      },
      { timeoutMs: 60_000, intervalMs: 100, what: () => `${texts.join(" and ")} on\n${seen.join("\n")}\n` },
    );
  }

  /** Waits until everything is loaded. */
  loaded(): Promise<string[]> {
    return this.shows(
      "● Live",
      "Worker nodes       10",
      "Control planes      2",
      "Networks            2",
      "Platform            4",
      "Add-ons             3",
      "Teams               3",
    );
  }

  /** Presses keys one after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.terminal.press(key);
  }

  close(): Promise<void> {
    return this.terminal.close();
  }
}

/** A screen for comparison: variable parts are masked, and every line keeps its position. */
export function masked(screen: readonly string[]): string {
  const lines = screen.map((line) =>
    line
      .replace(/ +\d+[smhdw]$/, " ~")
      .replaceAll(/ +\d+[smhdw](?!\w) */g, (age) => `${" ".repeat(Math.max(0, age.length - 2))}~ `.slice(0, age.length))
      .replace(/Kubernetes v\d[\w.+-]+ */, (version) => "Kubernetes vX".padEnd(version.length))
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
