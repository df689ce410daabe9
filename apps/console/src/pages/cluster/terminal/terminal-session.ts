import type { openTerminal, RouteAnswer } from "@butler/contract";
import { terminalEnd, type TerminalEnd } from "./terminal-end.ts";

/** Response to a terminal request. */
export type TerminalTicket = RouteAnswer<typeof openTerminal>;

/** State of a terminal. */
export type TerminalState =
  | { readonly kind: "asking" }
  | { readonly kind: "refused"; readonly error: unknown }
  | { readonly kind: "connecting" | "open"; readonly ticket: TerminalTicket }
  | { readonly kind: "ended"; readonly ticket: TerminalTicket; readonly end: TerminalEnd };

/** Callbacks of a terminal connection. */
export interface LineEvents {
  readonly onOpen: () => void;
  readonly onBytes: (bytes: Uint8Array) => void;
  readonly onClose: (code: number, reason: string) => void;
}

/** A terminal connection: bytes carry input, text carries control messages. */
export interface TerminalLine {
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** Dependencies of a terminal session. */
export interface TerminalSessionOptions {
  /** Requests a terminal from the server. */
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

/** Maximum message size that the server accepts. */
const largestMessage = 32 * 1024;

/**
 * One terminal from request to end. It cannot reconnect: a ticket works once and the shell ends with its socket, so the
 * user starts a new terminal.
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

  /** Requests the terminal and connects to it. */
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

  /** Sends typed or pasted text in chunks that the server accepts. */
  type(text: string): void {
    if (!this.#isOpen) return;
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += largestMessage) {
      this.#line?.send(bytes.slice(at, at + largestMessage));
    }
  }

  /** Sends the screen size, now or once connected. */
  resize(size: ScreenSize): void {
    const isSame = this.#size?.columns === size.columns && this.#size.rows === size.rows;
    this.#size = size;
    if (this.#isOpen && !isSame) this.#sendSize(size);
  }

  /** Closes the session. No further state is reported. */
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
