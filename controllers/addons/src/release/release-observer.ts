import { isPending, type ReleaseDecoder } from "@butler/helm";
import type { KubeClient } from "@butler/kube";
import {
  type Drift,
  findDrift,
  inspect,
  type Inspection,
  type ManifestObject,
  parseManifest,
} from "@butler/object-health";
import { type Clock, describeError, isRetryable, systemClock } from "@butler/std";
import pLimit, { type LimitFunction } from "p-limit";
import { decideLook, type LookIntervals, type LookOccasion, usualIntervals } from "./looks.ts";
import type { Observation, ReleaseView } from "./observation.ts";
import { ObjectCache } from "./object-cache.ts";
import { type History, readHistory, readManifest, type ReleasePlace, type ReleaseSource } from "./read-history.ts";
import type { Revision } from "./situation.ts";

/** A release to inspect. */
export interface ObserveRequest extends Omit<LookOccasion, "nowMs"> {
  /** The object that the release is of. */
  readonly key: string;
  /** The cluster of the release. */
  readonly group: string;
  readonly place: ReleasePlace;
  readonly client: (signal: AbortSignal) => Promise<KubeClient>;
  readonly signal: AbortSignal;
}

/** Options for inspecting releases. */
export interface ReleaseObserverOptions {
  readonly clock?: Clock | undefined;
  readonly intervals?: LookIntervals | undefined;
  /** Reads the content of revisions. */
  readonly decoder: Pick<ReleaseDecoder, "decode">;
}

interface Memory {
  readonly place: string;
  history?: History;
  inspection?: Inspection;
  drift?: { readonly revision: number; readonly found: readonly Drift[] };
  pending?: { readonly revision: number; readonly sinceMs: number };
  lookedAtMs?: number;
  comparedAtMs?: number;
  isStale: boolean;
  isOutdated: boolean;
}

/**
 * How many releases of one cluster are inspected in parallel. Responses that arrive together are processed in one turn of
 * the event loop, so a low limit keeps turns short; it is per cluster, so a slow cluster does not delay others.
 */
const looksAtOnce = 2;

/** Above this size of their manifest, in characters, only a few releases are inspected at once, in all clusters. */
const largeManifest = 1024 * 1024;
const largeAtOnce = 4;

/** Timeout of an inspection. */
const lookLimitMs = 20_000;

/** An inspection. */
interface Look {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  /** Whether it checks drift as well. */
  readonly compares: boolean;
}

/** Work with the objects of the newest revision. */
interface ObjectWork {
  readonly history: History;
  readonly newest: Revision;
  readonly work: (items: readonly ManifestObject[]) => Promise<void>;
}

/** Inspects releases at adaptive intervals, and caches the results. */
export class ReleaseObserver {
  readonly #clock: Clock;
  readonly #intervals: LookIntervals;
  readonly #memories = new Map<string, Memory>();
  readonly #limits = new WeakMap<KubeClient, LimitFunction>();
  readonly #decoder: ReleaseObserverOptions["decoder"];
  readonly #objects = new ObjectCache();
  readonly #large = pLimit(largeAtOnce);

  constructor({ clock = systemClock, intervals = usualIntervals, decoder }: ReleaseObserverOptions) {
    this.#clock = clock;
    this.#intervals = intervals;
    this.#decoder = decoder;
  }

  /** Records that a release may have changed. */
  noteHint(key: string): void {
    const memory = this.#memories.get(key);
    if (memory !== undefined) memory.isStale = true;
  }

  /** Records that a release has changed, so that cached results must not be used. */
  noteChange(key: string): void {
    const memory = this.#memories.get(key);
    if (memory !== undefined) memory.isOutdated = true;
  }

  forget(key: string): void {
    this.#memories.delete(key);
    this.#objects.forget(key);
  }

  /** The current view of a release, inspected again if due. */
  async observe(request: ObserveRequest): Promise<Observation> {
    const memory = this.#memoryOf(request);
    const { phase, phaseSinceMs, isWorkedOn, isQueued, signal } = request;
    const nowMs = this.#clock.now().getTime();
    const occasion = { phase, phaseSinceMs, isWorkedOn, isQueued, nowMs };
    const { lookedAtMs, comparedAtMs, isStale, isOutdated } = memory;
    const verdict = decideLook({ lookedAtMs, comparedAtMs, isStale, isOutdated }, occasion, this.#intervals);
    if (verdict.looks) {
      // Reset before the inspection: a change meanwhile triggers another one.
      memory.isStale = false;
      memory.isOutdated = false;
      const limit = AbortSignal.any([signal, AbortSignal.timeout(lookLimitMs)]);
      try {
        await this.#look(memory, request, { signal: limit, compares: verdict.compares });
      } catch (error) {
        memory.isOutdated = true;
        signal.throwIfAborted();
        const reason = isRetryable(error) ? "TenantUnreachable" : "LookFailed";
        return { problem: { reason, message: describeError(error) } };
      }
    }
    return { view: viewOf(memory), nextLookMs: verdict.nextMs };
  }

  async #look(
    memory: Memory,
    request: ObserveRequest,
    { signal, compares }: { readonly signal: AbortSignal; readonly compares: boolean },
  ): Promise<void> {
    const client = await request.client(signal);
    await this.#limitOf(client)(() => this.#lookInside(memory, request, { client, signal, compares }));
  }

  #limitOf(client: KubeClient): LimitFunction {
    const limit = this.#limits.get(client) ?? pLimit(looksAtOnce);
    this.#limits.set(client, limit);
    return limit;
  }

  async #lookInside(memory: Memory, request: ObserveRequest, look: Look): Promise<void> {
    const { client, signal } = look;
    const { place, group } = request;
    signal.throwIfAborted();
    const source: ReleaseSource = { client, decoder: this.#decoder, group, signal };
    const history = await readHistory(source, place, memory.history);
    const nowMs = this.#clock.now().getTime();
    const [newest] = history.revisions;
    memory.history = history;
    notePending(memory, newest, nowMs);
    if (newest === undefined || newest.status === "uninstalling") {
      delete memory.inspection;
      delete memory.drift;
    } else {
      const work = (items: readonly ManifestObject[]): Promise<void> =>
        this.#inspect(memory, items, { ...look, newest, place });
      await this.#withObjects(source, request, { history, newest, work });
    }
    memory.lookedAtMs = nowMs;
  }

  /** Works with the objects of the newest revision, which are read again unless they are cached. */
  async #withObjects(
    source: ReleaseSource,
    { key, group, place }: ObserveRequest,
    { history, newest, work }: ObjectWork,
  ): Promise<void> {
    // The objects of a revision do not change; only its status does.
    const mark = `${newest.revision} ${newest.deployedAt}`;
    const cached = this.#objects.get(key, mark);
    if (cached !== undefined) return work(cached);
    const manifest = await readManifest(source, place, history);
    const readAndWork = async (): Promise<void> => {
      const items = await parseManifest(manifest, { signal: source.signal });
      this.#objects.put({ key, group, mark, items, size: manifest.length });
      await work(items);
    };
    await (manifest.length > largeManifest ? this.#large(readAndWork) : readAndWork());
  }

  async #inspect(
    memory: Memory,
    items: readonly ManifestObject[],
    { client, signal, compares, newest, place }: Look & { readonly newest: Revision; readonly place: ReleasePlace },
  ): Promise<void> {
    memory.inspection = await inspect(client, items, { namespace: place.namespace, signal });
    if (!compares || newest.status !== "deployed") return;
    const found = await findDrift(client, items, { namespace: place.namespace, signal });
    memory.drift = { revision: newest.revision, found };
    memory.comparedAtMs = this.#clock.now().getTime();
  }

  #memoryOf({ key, place }: ObserveRequest): Memory {
    const placeText = `${place.namespace}/${place.release}`;
    const known = this.#memories.get(key);
    if (known?.place === placeText) return known;
    const fresh: Memory = { place: placeText, isStale: false, isOutdated: true };
    this.#memories.set(key, fresh);
    return fresh;
  }
}

function notePending(memory: Memory, newest: Revision | undefined, nowMs: number): void {
  if (newest === undefined || !isPending(newest)) delete memory.pending;
  else if (memory.pending?.revision !== newest.revision) {
    memory.pending = { revision: newest.revision, sinceMs: nowMs };
  }
}

function viewOf({ history, pending, inspection, drift }: Memory): ReleaseView {
  const revisions = history?.revisions ?? [];
  const isOfNewest = drift !== undefined && drift.revision === revisions[0]?.revision;
  return {
    revisions,
    pendingSinceMs: pending?.sinceMs,
    inspection,
    drift: isOfNewest ? drift.found : undefined,
  };
}
