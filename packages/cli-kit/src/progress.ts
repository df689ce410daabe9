import type { Timer } from "@butler/std";
import { shortened } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 120;
const clearLine = "\r\u001B[2K";

type ProgressTerminal = Pick<Terminal, "say" | "write" | "isAnimated" | "width" | "clock">;

/** Reports the progress of a long operation: permanent lines, and on a terminal a spinner line below them. */
export class Progress {
  readonly #terminal: ProgressTerminal;
  #waitingFor: string | undefined;
  #frame = 0;
  #timer: Timer | undefined;

  constructor(terminal: ProgressTerminal) {
    this.#terminal = terminal;
  }

  /** Prints a permanent line. */
  line(text: string): void {
    this.#clear();
    this.#terminal.say(text);
    this.#draw();
  }

  /** Shows what is being waited for; not shown where lines cannot be overwritten. */
  waiting(text: string): void {
    if (!this.#terminal.isAnimated) return;
    this.#waitingFor = text;
    if (this.#timer === undefined) this.#tick();
    else this.#draw();
  }

  /** Removes the spinner line. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#clear();
    this.#waitingFor = undefined;
  }

  #tick(): void {
    this.#draw();
    this.#frame = (this.#frame + 1) % frames.length;
    this.#timer = this.#terminal.clock.after(frameMs, () => this.#tick());
  }

  #draw(): void {
    if (this.#waitingFor === undefined) return;
    // A wrapped line could not be cleared.
    const text = shortened(`${frames[this.#frame] ?? ""} ${this.#waitingFor}`, this.#terminal.width - 1);
    this.#terminal.write(`${clearLine}${text}`);
  }

  #clear(): void {
    if (this.#waitingFor !== undefined) this.#terminal.write(clearLine);
  }
}
