import { createHash } from "node:crypto";
import { AlreadyExists, type KubeClient } from "@butler/kube";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { redactText } from "@butler/telemetry";
import type { PlannedEvent } from "./plan.ts";

/**
 * Records events. A plan states the same event on every pass for as long as it is true; it is written when it first
 * appears. After a restart the count of the existing Event is increased instead.
 */
export class EventRecorder {
  readonly #client: KubeClient;
  readonly #component: string;
  readonly #stated = new Map<string, ReadonlySet<string>>();

  constructor(client: KubeClient, component: string) {
    this.#client = client;
    this.#component = component;
  }

  /** The events of a plan that were not in the plan before it. */
  newEvents(object: KubeObject, events: readonly PlannedEvent[]): readonly PlannedEvent[] {
    const uid = object.metadata.uid ?? "";
    const before = this.#stated.get(uid);
    const now = new Set(events.map(identify));
    if (now.size === 0) this.#stated.delete(uid);
    else this.#stated.set(uid, now);
    return events.filter((event) => before?.has(identify(event)) !== true);
  }

  /** Forgets a deleted object. */
  forget(uid: string | undefined): void {
    if (uid !== undefined) this.#stated.delete(uid);
  }

  /** Writes one event. */
  async record(object: KubeObject, event: PlannedEvent, now: Date): Promise<void> {
    const { name, namespace, uid = "" } = object.metadata;
    const timestamp = now.toISOString().replace(/\.\d+Z$/, "Z");
    const digest = createHash("sha256")
      .update(`${uid}/${this.#component}/${identify(event)}`)
      .digest("hex")
      .slice(0, 16);
    const key = { name: `${name.slice(0, 230)}.${digest}`, namespace: namespace ?? "default" };
    const body = {
      apiVersion: "v1",
      kind: "Event",
      metadata: key,
      involvedObject: { apiVersion: object.apiVersion, kind: object.kind, name, namespace, uid },
      type: event.type,
      reason: event.reason,
      message: redactText(event.message).slice(0, 1_024),
      source: { component: this.#component },
      reportingComponent: this.#component,
      reportingInstance: this.#component,
      firstTimestamp: timestamp,
      lastTimestamp: timestamp,
      count: 1,
    };
    try {
      await this.#client.create(builtinKinds.Event, body);
    } catch (error) {
      if (!(error instanceof AlreadyExists)) throw error;
      const existing = await this.#client.get(builtinKinds.Event, key);
      const count = (typeof existing["count"] === "number" ? existing["count"] : 0) + 1;
      await this.#client.patch(builtinKinds.Event, key, { type: "merge", patch: { count, lastTimestamp: timestamp } });
    }
  }
}

function identify({ type, reason, message }: PlannedEvent): string {
  return `${type}/${reason}/${message}`;
}
