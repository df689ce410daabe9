import type { KubeClient, ObjectFor } from "@butler/kube";
import {
  isBeingDeleted,
  type Kind,
  kindId,
  type KubeObject,
  keyText,
  type ObjectOf,
  type Resource,
} from "@butler/resource";
import { Bug, type Clock, ignoreNotFound, NotFound } from "@butler/std";
import { type Logger, redactText } from "@butler/telemetry";
import { type AppliedMemory, isApplied, withAppliedNote } from "./applied.ts";
import type { CacheReader, ControllerDefinition, Performer } from "./define-controller.ts";
import type { EventRecorder } from "./event-recorder.ts";
import { ownedKindOf, requireOwned, withOwner } from "./owned-objects.ts";
import type { Effect, PlannedEvent, Removal } from "./plan.ts";
import type { Interceptor, SideEffect } from "./side-effect.ts";

/** The environment of a controller's passes. */
export interface PassContext<Ports> {
  readonly client: KubeClient;
  readonly read: CacheReader;
  readonly noteWrite: <K extends Kind>(kind: K, object: ObjectFor<K>) => void;
  readonly ports: Ports;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly intercept: Interceptor;
  readonly logger: Logger;
  readonly memory: AppliedMemory;
}

/**
 * The side effects of one pass: every way in which a controller changes state, each skipping what is already in sync
 * and each recorded as a side effect. The reconciler decides their order.
 */
export class Pass<R extends Resource, Observed, E extends Effect, Ports> {
  readonly #definition: ControllerDefinition<R, Observed, E, Ports>;
  readonly #context: PassContext<Ports>;
  readonly sideEffects: SideEffect[] = [];

  constructor(definition: ControllerDefinition<R, Observed, E, Ports>, context: PassContext<Ports>) {
    this.#definition = definition;
    this.#context = context;
  }

  /** Whether the controller's finalizer is on the object. */
  isHeld(object: KubeObject): boolean {
    const { finalizer } = this.#definition;
    return finalizer !== undefined && (object.metadata.finalizers?.includes(finalizer) ?? false);
  }

  /** Adds the controller's finalizer unless present or, on an object being deleted, no longer allowed. */
  async hold(primary: ObjectOf<R>): Promise<ObjectOf<R>> {
    if (this.isHeld(primary) || isBeingDeleted(primary)) return primary;
    const { finalizer, name } = this.#definition;
    if (finalizer === undefined) throw new Bug(`controller ${name} needs a finalizer but declares none`);
    return this.#patchFinalizers(primary, [...(primary.metadata.finalizers ?? []), finalizer]);
  }

  /** Removes the controller's finalizer, so that Kubernetes can delete the object. */
  async release(primary: ObjectOf<R>): Promise<void> {
    const kept = (primary.metadata.finalizers ?? []).filter((name) => name !== this.#definition.finalizer);
    await this.#patchFinalizers(primary, kept).catch(ignoreNotFound);
  }

  /** Whether applying the object would change nothing. */
  isInPlace(primary: KubeObject, object: KubeObject): boolean {
    return this.#isApplied(withOwner(object, primary));
  }

  /** Applies a child unless it is in sync. */
  async apply(primary: KubeObject, object: KubeObject): Promise<void> {
    const desired = withOwner(object, primary);
    if (this.#isApplied(desired)) return;
    const kind = ownedKindOf(this.#definition, desired);
    const written = await this.#act({ verb: "apply", target: `${kindId(kind)} ${keyText(object.metadata)}` }, () =>
      this.#context.client.apply(kind, withAppliedNote(desired, this.#definition.name), {
        fieldManager: this.#fieldManager,
      }),
    );
    this.#context.memory.remember(desired, written);
    this.#context.noteWrite(kind, written);
  }

  /** Deletes an object unless it does not exist or is already being deleted. */
  async remove(removal: Removal): Promise<void> {
    requireOwned(this.#definition, removal.kind);
    const live = this.#context.read.get(removal.kind, removal) as KubeObject | undefined;
    if (live === undefined || isBeingDeleted(live)) return;
    const uid = removal.uid ?? live.metadata.uid;
    await this.#act({ verb: "remove", target: `${kindId(removal.kind)} ${keyText(removal)}` }, async () => {
      await this.#context.client.delete(removal.kind, removal, { uid }).catch(ignoreNotFound);
    });
  }

  /** Performs an effect. */
  async perform(effect: E, signal: AbortSignal): Promise<void> {
    const performers = this.#definition.perform as unknown as Readonly<Record<string, Performer<E, Ports> | undefined>>;
    const performer = performers[effect.type];
    if (performer === undefined) throw new Bug(`controller ${this.#definition.name} cannot perform ${effect.type}`);
    await this.#act({ verb: "perform", target: effect.type }, () => performer(effect, this.#context.ports, signal));
  }

  /** Writes the status; a deleted object needs none. */
  async writeStatus(primary: ObjectOf<R>, status: Record<string, unknown>): Promise<ObjectOf<R>> {
    const { primary: kind } = this.#definition;
    const { name, namespace, uid } = primary.metadata;
    // The uid keeps the status from being written to an object of the same name created since.
    const body = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, namespace, uid }, status };
    try {
      const written = await this.#act({ verb: "status", target: this.#describe(primary) }, () =>
        this.#context.client.apply(kind, body, { fieldManager: this.#fieldManager, subresource: "status" }),
      );
      this.#context.noteWrite(kind, written);
      return written as ObjectOf<R>;
    } catch (error) {
      if (error instanceof NotFound) return primary;
      throw error;
    }
  }

  /** Records the events that are new. A failure to record one must not block the pass. */
  async recordEvents(primary: KubeObject, events: readonly PlannedEvent[]): Promise<void> {
    for (const event of this.#context.events.newEvents(primary, events)) {
      try {
        await this.#act({ verb: "event", target: event.reason }, () =>
          this.#context.events.record(primary, event, this.#context.clock.now()),
        );
      } catch (error) {
        this.#context.logger.warn("failed to record event", { error, reason: redactText(event.reason) });
      }
    }
  }

  #isApplied(desired: KubeObject): boolean {
    const kind = ownedKindOf(this.#definition, desired);
    const live = this.#context.read.get(kind, desired.metadata) as KubeObject | undefined;
    if (live === undefined || isBeingDeleted(live)) return false;
    return isApplied(live, desired, this.#definition.name) || this.#context.memory.matches(live, desired);
  }

  async #patchFinalizers(primary: ObjectOf<R>, finalizers: string[]): Promise<ObjectOf<R>> {
    const { primary: kind } = this.#definition;
    const { resourceVersion } = primary.metadata;
    const written = await this.#act({ verb: "finalizer", target: this.#describe(primary) }, () =>
      this.#context.client.patch(kind, primary.metadata, {
        type: "merge",
        patch: { metadata: { finalizers, resourceVersion } },
      }),
    );
    this.#context.noteWrite(kind, written);
    return written as ObjectOf<R>;
  }

  async #act<T>(effect: SideEffect, run: () => Promise<T>): Promise<T> {
    const result = await this.#context.intercept(effect, run);
    this.sideEffects.push(effect);
    return result;
  }

  get #fieldManager(): string {
    return `butler-${this.#definition.name}`;
  }

  #describe(object: KubeObject): string {
    return `${kindId(this.#definition.primary)} ${keyText(object.metadata)}`;
  }
}
