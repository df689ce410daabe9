/** Where signals come from: this process, or a test double. */
export interface SignalSource {
  on(signal: NodeJS.Signals, handler: () => void): unknown;
  off(signal: NodeJS.Signals, handler: () => void): unknown;
}

/** A program that signals are forwarded to. */
export interface SignalTarget {
  kill(signal: NodeJS.Signals): unknown;
}

const forwarded: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/**
 * Forwards signals to the program that this process runs; this process keeps running to clean up after it. Signals that
 * arrive before the program has started are queued.
 */
export class ForwardedSignals {
  readonly #source: SignalSource;
  readonly #isTerminal: boolean;
  readonly #handlers: ReadonlyMap<NodeJS.Signals, () => void>;
  #target: SignalTarget | undefined;
  #early: NodeJS.Signals[] = [];

  /** Starts to handle signals. */
  constructor(source: SignalSource, options: { readonly isTerminal: boolean }) {
    this.#source = source;
    this.#isTerminal = options.isTerminal;
    this.#handlers = new Map(forwarded.map((signal) => [signal, () => this.#take(signal)]));
    for (const [signal, handler] of this.#handlers) source.on(signal, handler);
  }

  passTo(target: SignalTarget): void {
    this.#target = target;
    for (const signal of this.#early) target.kill(signal);
    this.#early = [];
  }

  stop(): void {
    for (const [signal, handler] of this.#handlers) this.#source.off(signal, handler);
  }

  #take(signal: NodeJS.Signals): void {
    if (this.#target === undefined) this.#early.push(signal);
    // A terminal sends Ctrl-C and Ctrl-\ to both processes; other signals reach only this process and are forwarded.
    else if (!(this.#isTerminal && (signal === "SIGINT" || signal === "SIGQUIT"))) this.#target.kill(signal);
  }
}
