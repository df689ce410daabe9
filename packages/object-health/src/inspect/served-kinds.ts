import type { KubeClient } from "@butler/kube";
import type { Kind } from "@butler/resource";
import { NotFound, Unavailable } from "@butler/std";

const lifetimeMs = 5 * 60_000;

interface Known {
  readonly kinds: readonly Kind[];
  readonly askedAtMs: number;
}

/** The part of a client that discovery uses. */
export type DiscoveryClient = Pick<KubeClient, "discover">;

/** Served kinds change rarely and are needed for every inspection, so they are cached per client. */
const knownOf = new WeakMap<DiscoveryClient, Map<string, Known>>();

/** The kinds that a cluster serves, for one inspection: each apiVersion is discovered at most once, on demand. */
export class ServedKinds {
  readonly #client: DiscoveryClient;
  readonly #signal: AbortSignal | undefined;
  readonly #known: Map<string, Known>;
  readonly #asked = new Map<string, Promise<readonly Kind[]>>();

  constructor(client: DiscoveryClient, signal?: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
    this.#known = knownOf.get(client) ?? new Map<string, Known>();
    knownOf.set(client, this.#known);
  }

  /** The kind behind the apiVersion and kind of an object; undefined while the cluster does not serve it. */
  async find(apiVersion: string, kind: string): Promise<Kind | undefined> {
    const known = this.#known.get(apiVersion);
    const isFresh = known !== undefined && performance.now() - known.askedAtMs < lifetimeMs;
    const remembered = isFresh ? known.kinds.find((each) => each.kind === kind) : undefined;
    return remembered ?? (await this.#ask(apiVersion)).find((each) => each.kind === kind);
  }

  /** Drops the cached kinds of an apiVersion after the server reported that one is not served. */
  forget(apiVersion: string): void {
    this.#known.delete(apiVersion);
  }

  #ask(apiVersion: string): Promise<readonly Kind[]> {
    const asked = this.#asked.get(apiVersion) ?? this.#discover(apiVersion);
    this.#asked.set(apiVersion, asked);
    return asked;
  }

  async #discover(apiVersion: string): Promise<readonly Kind[]> {
    try {
      const kinds = await this.#client.discover(apiVersion, this.#signal);
      this.#known.set(apiVersion, { kinds, askedAtMs: performance.now() });
      return kinds;
    } catch (error) {
      if (error instanceof NotFound || isOfServerBehind(error)) return [];
      throw error;
    }
  }
}

/** An aggregated API whose server is unavailable: the API server itself responded. */
function isOfServerBehind(error: unknown): boolean {
  return error instanceof Unavailable && error.details["status"] === 503;
}
