import { AppliedMemory } from "@butler/controller";
import { Follower, type FollowerOptions, type KubeClient, versionOf, WorkQueue } from "@butler/kube";
import { isBeingDeleted, type Kind, kindId, type KubeObject } from "@butler/resource";
import { type Clock, Timeout, Unavailable } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import pLimit from "p-limit";
import { ofSteward } from "../../names.ts";
import { keptKindOf, keptKinds } from "../kinds.ts";
import { applicable, isOurs, mustBeRead, stepFor, withoutTenantsChoice } from "./drift.ts";
import { KeptState } from "./kept-state.ts";
import { ObjectWriter } from "./object-writer.ts";
import { catalog, objectId } from "./tenant-catalog.ts";

export interface ObjectReconcilerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called for each write: by `keep`, or to undo another client's change to an object. */
  readonly onWrite: (occasion: "kept" | "repaired") => void;
  /** Stops all background work. */
  readonly signal: AbortSignal;
  /** Calls back when the tenant becomes reachable again. */
  readonly onReachable?: FollowerOptions<Kind>["onReachable"];
}

/** Maximum concurrent writes. */
const parallelWrites = 6;

/** A client that undoes our repairs within this time is answered with increasing delay. */
const quietMs = 60_000;

/**
 * Reconciles the named objects of one tenant: `keep` applies them, and from then on watches of the metadata of
 * Steward's own objects trigger a check.
 */
export class ObjectReconciler {
  readonly #options: ObjectReconcilerOptions;
  readonly #writer: ObjectWriter;
  readonly #memory = new AppliedMemory();
  readonly #state = new KeptState();
  readonly #queue: WorkQueue;
  readonly #repairedAtMs = new Map<string, number>();
  readonly #listedKinds = new Set<string>();
  readonly #follows = new Map<string, AbortController>();
  readonly #background = new Set<Promise<void>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ObjectReconcilerOptions) {
    this.#options = options;
    this.#writer = new ObjectWriter(options.client, options.logger);
    this.#queue = new WorkQueue({ clock: options.clock });
    options.signal.addEventListener("abort", () => this.#stop(), { once: true });
    this.#run(this.#queue.drain((id) => this.#attemptRepair(id)));
  }

  /** Applies these objects in the tenant and returns the number of changes. */
  keep(objects: readonly KubeObject[], signal: AbortSignal): Promise<number> {
    return this.#inTurn(async () => {
      const either = AbortSignal.any([signal, this.#options.signal]);
      this.#state.want(objects);
      await this.#followWanted(either);
      return this.#bringAll(this.#state.toDo, either);
    });
  }

  /** Settles when all background work has ended; the signal must have been aborted. */
  async stopped(): Promise<void> {
    await Promise.all(this.#background);
  }

  /** The number of entries in memory. */
  get size(): number {
    return this.#state.size + this.#repairedAtMs.size;
  }

  /** Lists every kind that may have leftovers, and watches the kinds of desired objects. */
  async #followWanted(signal: AbortSignal): Promise<void> {
    const wanted = new Set(this.#state.wantedObjects.map((object) => kindId(keptKindOf(object))));
    for (const [kind, controller] of this.#follows) if (!wanted.has(kind)) controller.abort();
    // All of them end before the first failure is reported: a list still running would overlap the next attempt.
    await allDone(
      Object.values(keptKinds).map(async (kind) => {
        const isNew = !this.#listedKinds.has(kindId(kind));
        const isToBeFollowed = wanted.has(kindId(kind)) && !this.#follows.has(kindId(kind));
        if (!isNew && !isToBeFollowed) return;
        const follower = this.#follower(kind);
        if (isNew) await follower.list(signal);
        this.#listedKinds.add(kindId(kind));
        if (isToBeFollowed) this.#follow(follower);
      }),
    );
  }

  #follow(follower: Follower<Kind>): void {
    if (this.#options.signal.aborted) return;
    const kind = kindId(follower.kind);
    const controller = new AbortController();
    this.#follows.set(kind, controller);
    controller.signal.addEventListener("abort", () => this.#follows.delete(kind), { once: true });
    this.#run(follower.run(AbortSignal.any([controller.signal, this.#options.signal])));
  }

  #follower(kind: Kind): Follower<Kind> {
    const { client, clock, logger, onReachable } = this.#options;
    const present = new Set<string>();
    return new Follower({
      client,
      kind,
      scope: { ...ofSteward, metadataOnly: true },
      clock,
      logger,
      onReachable,
      onObject: (object) => {
        const id = objectId(kind, object.metadata);
        const isToBeLookedAt = this.#state.noteSeen(id, object);
        if (this.#state.isSeen(id)) present.add(id);
        if (isToBeLookedAt) this.#lookAt(id);
      },
      onGone: (object) => {
        const id = objectId(kind, object.metadata);
        if (this.#state.noteEnd(id, versionOf(object))) this.#lookAt(id);
      },
      // What a watch or an interrupted list reported may have been deleted since.
      onListing: () => present.clear(),
      onListed: (version) => {
        for (const id of this.#state.noteList(kindId(kind), present, BigInt(version))) this.#lookAt(id);
      },
    });
  }

  #lookAt(id: string): void {
    const repairedAtMs = this.#repairedAtMs.get(id);
    if (repairedAtMs !== undefined && this.#options.clock.monotonicMs() - repairedAtMs < quietMs) {
      this.#queue.addAfterFailure(id);
      return;
    }
    this.#queue.forget(id);
    this.#queue.add(id);
  }

  async #attemptRepair(id: string): Promise<void> {
    const { signal, logger } = this.#options;
    try {
      await this.#inTurn(() => this.#repair(id, signal));
    } catch (error) {
      const retryInMs = this.#queue.addAfterFailure(id);
      if (!signal.aborted) logger.warn("cannot repair object", { object: id, error, retryInMs });
    }
  }

  /** Undesired objects are left to `keep`, which alone knows the full desired state. */
  async #repair(id: string, signal: AbortSignal): Promise<void> {
    const desired = this.#state.wanted(id);
    if (desired === undefined || !this.#state.isUnsure(id) || !(await this.#ensure(id, desired, signal))) return;
    this.#repairedAtMs.set(id, this.#options.clock.monotonicMs());
    this.#options.logger.info("object repaired", { object: id });
    this.#options.onWrite("repaired");
  }

  async #bringAll(ids: readonly string[], signal: AbortSignal): Promise<number> {
    const errors: unknown[] = [];
    let writes = 0;
    let isOver = false;
    await pLimit(parallelWrites).map(ids, async (id) => {
      if (isOver) return;
      try {
        if (!(await this.#bring(id, signal))) return;
        writes++;
        this.#options.onWrite("kept");
      } catch (error) {
        errors.push(error);
        // Skip the rest when the tenant is unreachable.
        if (signal.aborted || error instanceof Unavailable || error instanceof Timeout) isOver = true;
      }
    });
    if (errors.length > 0) throw errors[0] as Error;
    return writes;
  }

  /** Reconciles one object; true when that took a change. */
  #bring(id: string, signal: AbortSignal): Promise<boolean> {
    const desired = this.#state.wanted(id);
    return desired === undefined ? this.#retire(id, signal) : this.#ensure(id, desired, signal);
  }

  async #ensure(id: string, desired: KubeObject, signal: AbortSignal): Promise<boolean> {
    const isRead = this.#state.isSeen(id) || mustBeRead(desired);
    const live = isRead ? await this.#writer.find(desired, signal) : undefined;
    const step = stepFor(desired, live, this.#memory);
    if (step === "write") {
      const written = await this.#writer.apply(applicable(desired, live), signal);
      this.#memory.remember(desired, withoutTenantsChoice(desired, written));
      this.#state.noteVerified(id, desired, written);
      return true;
    }
    // An object that is being deleted stays unverified: its deletion will be observed.
    if (live !== undefined && step !== "wait for deletion") this.#state.noteVerified(id, desired, live);
    return false;
  }

  async #retire(id: string, signal: AbortSignal): Promise<boolean> {
    const skeleton = catalog.get(id);
    const live = skeleton === undefined ? undefined : await this.#writer.find(skeleton, signal);
    const isToGo = live !== undefined && !isBeingDeleted(live) && isOurs(live);
    if (isToGo) await this.#writer.remove(live, signal);
    this.#memory.forget(live?.metadata.uid);
    this.#state.forget(id);
    return isToGo;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #run(work: Promise<void>): void {
    const running = work.finally(() => this.#background.delete(running));
    this.#background.add(running);
  }

  #stop(): void {
    this.#queue.close();
    for (const controller of this.#follows.values()) controller.abort();
  }
}

async function allDone(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
