/** Where signals come from: this process, or what a test has in its place. */
export interface SignalSource {
  on(signal: NodeJS.Signals, handler: () => void): unknown;
  off(signal: NodeJS.Signals, handler: () => void): unknown;
}

/** A program that signals are handed on to. */
export interface SignalTarget {
  kill(signal: NodeJS.Signals): unknown;
}

const forwarded: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/**
 * What is sent to this process is for the program that it runs; this process stays to clean up after it. A signal that
 * comes before there is the program is kept for it.
 */
export class ForwardedSignals {
  readonly #source: SignalSource;
  readonly #isTerminal: boolean;
  readonly #handlers: ReadonlyMap<NodeJS.Signals, () => void>;
  #target: SignalTarget | undefined;
  #early: NodeJS.Signals[] = [];

  /** Begins to take signals. */
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
    // A terminal sends what is typed to both; whatever comes to this process alone is handed on.
    else if (!(this.#isTerminal && (signal === "SIGINT" || signal === "SIGQUIT"))) this.#target.kill(signal);
  }
}
