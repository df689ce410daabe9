import { type Kind, type KubeObject } from "@butler/resource";
import { mapBounded } from "../map-bounded.ts";
import { notServed, place, type PlacedObject, removesItself } from "../inspect/placed-object.ts";
import { listWhole, mostRequests } from "../inspect/read-live.ts";
import { ServedKinds } from "../inspect/served-kinds.ts";
import type { ManifestObject } from "../manifest/manifest-object.ts";
import { type Difference, differencesBetween } from "./differences.ts";
import { driftMessage } from "./drift-message.ts";
import { type DriftClient, dryRun } from "./dry-run.ts";
import { isExpected, isOfReplicas, scales } from "./tolerated.ts";

/** An object that differs from the chart. */
export interface Drift {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly message: string;
}

/** How to look for drift. */
export interface FindDriftOptions {
  /** The release's namespace, for objects that name none. */
  readonly namespace: string;
  /** Maximum number of drifted objects. Defaults to 20. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const autoscalers: Kind = {
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  scope: "Namespaced",
};

/**
 * Finds objects that were changed or deleted since the chart was applied, by asking the server what applying
 * each of them again would change. Fields that the chart does not set are not drift.
 */
export async function findDrift(
  client: DriftClient,
  objects: readonly ManifestObject[],
  { namespace, limit = 20, signal }: FindDriftOptions,
): Promise<readonly Drift[]> {
  const kinds = new ServedKinds(client, signal);
  const search = new Search(client, signal);
  let count = 0;
  const found = await mapBounded(objects, mostRequests, async (wanted) => {
    if (count >= limit) return undefined;
    const placed = await place(wanted, namespace, kinds);
    const message = await search.messageFor(placed);
    if (message === undefined) return undefined;
    count += 1;
    return driftOf(placed, message);
  });
  return found.filter((drift) => drift !== undefined).slice(0, limit);
}

function driftOf({ wanted, key }: PlacedObject, message: string): Drift {
  const { name, namespace } = key;
  return { kind: wanted.kind, ...(namespace === undefined ? {} : { namespace }), name, message };
}

/** One search; it reads autoscalers once for all of its objects. */
class Search {
  readonly #client: DriftClient;
  readonly #signal: AbortSignal | undefined;
  readonly #autoscalers = new Map<string, Promise<readonly KubeObject[]>>();

  constructor(client: DriftClient, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#signal = signal;
  }

  /** How an object differs from the chart; undefined when it does not. */
  async messageFor(placed: PlacedObject): Promise<string | undefined> {
    const { kind } = placed;
    if (kind === undefined) return notServed(placed);
    const run = await dryRun(this.#client, { ...placed, kind }, this.#signal);
    switch (run.outcome) {
      case "missing":
        return removesItself(placed) ? undefined : "missing";
      case "leaving":
        return "being deleted";
      case "refused":
        return `the API server rejects the chart's manifest: ${run.message}`;
      case "unknown":
        return undefined;
      case "applied": {
        const differences = await this.#unexpected(run.live, differencesBetween(run.live, run.applied));
        return differences.length === 0 ? undefined : driftMessage(placed.wanted.kind, differences);
      }
    }
  }

  async #unexpected(live: KubeObject, differences: readonly Difference[]): Promise<readonly Difference[]> {
    const left = differences.filter((difference) => !isExpected(difference, live));
    if (!left.some(isOfReplicas)) return left;
    const isScaled = (await this.#autoscalersIn(live.metadata.namespace ?? "")).some((each) => scales(each, live));
    return isScaled ? left.filter((difference) => !isOfReplicas(difference)) : left;
  }

  #autoscalersIn(namespace: string): Promise<readonly KubeObject[]> {
    const known = this.#autoscalers.get(namespace);
    const asked = known ?? listWhole(this.#client, autoscalers, { namespace, signal: this.#signal });
    this.#autoscalers.set(namespace, asked);
    return asked;
  }
}
