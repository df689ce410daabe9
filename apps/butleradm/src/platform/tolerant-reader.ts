import { readList, type Session } from "@butler/cli-session";
import type { ListOptions, ObjectFor } from "@butler/kube";
import { type Kind, kindId } from "@butler/resource";
import { describeError, Forbidden, NotFound } from "@butler/std";
import type { Unreadable } from "./facts.ts";

/** Reads objects and records those that it cannot read, so that one failure does not hide the rest. */
export class TolerantReader {
  readonly #session: Session;
  readonly #unreadable = new Map<string, string>();

  constructor(session: Session) {
    this.#session = session;
  }

  get unreadable(): Unreadable[] {
    return [...this.#unreadable].map(([what, why]) => ({ what, why }));
  }

  /** Every object of a kind; none when the cluster does not serve the kind. */
  async list<K extends Kind>(kind: K, options: Omit<ListOptions, "signal"> = {}): Promise<ObjectFor<K>[]> {
    const where = options.namespace === undefined ? "" : ` in ${options.namespace}`;
    return (await this.attempt(`${kindId(kind)}${where}`, () => readList(this.#session, kind, options))) ?? [];
  }

  /** Runs a read; undefined when the object does not exist or cannot be read. */
  async attempt<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      // Without a response from the API server there is nothing to report.
      if (this.#session.signal.aborted || !(error instanceof Error) || isConnectionLost(error)) throw error;
      this.#unreadable.set(what, error instanceof Forbidden ? "permission denied" : describeError(error));
      return undefined;
    }
  }
}

function isConnectionLost(error: Error): boolean {
  return (
    "code" in error &&
    error.code === "UNAVAILABLE" &&
    "details" in error &&
    !Object.hasOwn(error.details as object, "status")
  );
}
