import type { openTerminal, RouteAnswer } from "@butler/contract";
import { terminalEnd, type TerminalEnd } from "./terminal-end.ts";

/** What the server answers to the wish for a terminal. */
export type TerminalTicket = RouteAnswer<typeof openTerminal>;

/** How a terminal is. */
export type TerminalState =
  | { readonly kind: "asking" }
  | { readonly kind: "refused"; readonly error: unknown }
  | { readonly kind: "connecting" | "open"; readonly ticket: TerminalTicket }
  | { readonly kind: "ended"; readonly ticket: TerminalTicket; readonly end: TerminalEnd };

/** What happens on the way to a terminal. */
export interface LineEvents {
  readonly onOpen: () => void;
  readonly onBytes: (bytes: Uint8Array) => void;
  readonly onClose: (code: number, reason: string) => void;
}

/** The way to a terminal: bytes are what is typed, text is about the terminal itself. */
export interface TerminalLine {
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** What a terminal needs from around it. */
export interface TerminalSessionOptions {
  /** Asks the server for a terminal. */
  readonly ask: (signal: AbortSignal) => Promise<TerminalTicket>;
  readonly connect: (path: string, events: LineEvents) => TerminalLine;
  readonly onState: (state: TerminalState) => void;
  readonly onOutput: (bytes: Uint8Array) => void;
}

/** Columns and rows of a screen. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The server takes no longer messages. */
const largestMessage = 32 * 1024;

/**
 * One terminal, from the wish for it to its end. It never comes back: a ticket is good once and the shell is gone with
 * its socket, so whoever wants to go on starts another one.
 */
export class TerminalSession {
  readonly #options: TerminalSessionOptions;
  readonly #over = new AbortController();
  #line: TerminalLine | undefined;
  #isOpen = false;
  #size: ScreenSize | undefined;

  constructor(options: TerminalSessionOptions) {
    this.#options = options;
  }

  /** Asks for the terminal and connects to it. */
  async start(): Promise<void> {
    const { ask, onState } = this.#options;
    onState({ kind: "asking" });
    try {
      const ticket = await ask(this.#over.signal);
      if (!this.#over.signal.aborted) this.#connect(ticket);
    } catch (error) {
      if (!this.#over.signal.aborted) onState({ kind: "refused", error });
    }
  }

  /** Sends what was typed or pasted, in pieces that the server takes. */
  type(text: string): void {
    if (!this.#isOpen) return;
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += largestMessage) {
      this.#line?.send(bytes.slice(at, at + largestMessage));
    }
  }

  /** Tells the size of the screen, now or as soon as there is somebody to tell it to. */
  resize(size: ScreenSize): void {
    const isSame = this.#size?.columns === size.columns && this.#size.rows === size.rows;
    this.#size = size;
    if (this.#isOpen && !isSame) this.#sendSize(size);
  }

  /** Leaves. Nothing is told any more. */
  close(): void {
    this.#over.abort();
    this.#isOpen = false;
    this.#line?.close();
  }

  #connect(ticket: TerminalTicket): void {
    const { connect, onState, onOutput } = this.#options;
    onState({ kind: "connecting", ticket });
    this.#line = connect(`${ticket.url}?ticket=${encodeURIComponent(ticket.ticket)}`, {
      onOpen: () => {
        if (this.#over.signal.aborted) return;
        this.#isOpen = true;
        onState({ kind: "open", ticket });
        if (this.#size !== undefined) this.#sendSize(this.#size);
      },
      onBytes: (bytes) => !this.#over.signal.aborted && onOutput(bytes),
      onClose: (code, reason) => {
        if (this.#over.signal.aborted) return;
        const wasOpen = this.#isOpen;
        this.#isOpen = false;
        onState({ kind: "ended", ticket, end: terminalEnd({ code, reason, wasOpen }) });
      },
    });
  }

  #sendSize({ columns, rows }: ScreenSize): void {
    this.#line?.send(JSON.stringify({ type: "resize", columns, rows }));
  }
}
