import { reduce } from "./model/reduce.ts";
import type { Effect, TuiEvent, TuiState } from "./model/state.ts";

/** Holds the state and dispatches side effects. */
export class Store {
  readonly #listeners = new Set<() => void>();
  readonly #act: (effect: Effect, state: TuiState) => void;
  #state: TuiState;

  constructor(state: TuiState, act: (effect: Effect, state: TuiState) => void) {
    this.#state = state;
    this.#act = act;
  }

  readonly state = (): TuiState => this.#state;

  /** Calls back after each change until the given function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Processes an event. */
  dispatch(event: TuiEvent): void {
    const { state, effects } = reduce(this.#state, event);
    const isChanged = state !== this.#state;
    this.#state = state;
    if (isChanged) for (const listener of this.#listeners) listener();
    for (const effect of effects) this.#act(effect, state);
  }
}
