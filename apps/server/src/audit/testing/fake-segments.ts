import type { AuditSegment } from "@butler/api";
import { AlreadyExists } from "@butler/kube";
import { Conflict, NotFound, Unavailable } from "@butler/std";
import type { SegmentWriterOptions } from "../segment-writer.ts";

/** Outcome of a write: applied and acknowledged, applied without a response, applied late, or lost. */
export type Fate = "fine" | "lost-answer" | "late" | "refused";

/**
 * The part of an API server that segments need, over an unreliable network. Optimistic locking, one-time creation and
 * append-only lines match the real one.
 */
export class FakeSegments {
  readonly stored = new Map<string, AuditSegment>();
  readonly fates: Fate[] = [];
  readonly #late: (() => void)[] = [];
  isReachable = true;
  writes = 0;
  #version = 0;

  readonly client = {
    create: (_kind: unknown, object: unknown) => this.#write(object as AuditSegment, "create"),
    replace: (_kind: unknown, object: unknown) => this.#write(object as AuditSegment, "replace"),
    find: (_kind: unknown, { name }: { readonly name: string }) =>
      this.isReachable ? Promise.resolve(this.stored.get(name)) : Promise.reject(new Unavailable("no network")),
  } as unknown as SegmentWriterOptions["client"];

  list(): AuditSegment[] {
    return [...this.stored.values()];
  }

  /** Delivers all pending writes. */
  arrive(): void {
    for (const write of this.#late.splice(0)) {
      try {
        write();
      } catch {
        // The caller no longer waits for the response.
      }
    }
  }

  #write(segment: AuditSegment, verb: "create" | "replace"): Promise<AuditSegment> {
    this.writes++;
    if (!this.isReachable) return Promise.reject(new Unavailable("no network"));
    const fate = this.fates.shift() ?? "fine";
    if (fate === "refused") return Promise.reject(new Unavailable("refused"));
    if (fate === "late") {
      this.#late.push(() => this.#apply(segment, verb));
      return Promise.reject(new Unavailable("no answer"));
    }
    try {
      const done = this.#apply(segment, verb);
      return fate === "fine" ? Promise.resolve(done) : Promise.reject(new Unavailable("no answer"));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #apply(segment: AuditSegment, verb: "create" | "replace"): AuditSegment {
    const { name, resourceVersion } = segment.metadata;
    const current = this.stored.get(name);
    if (verb === "create" && current !== undefined) throw new AlreadyExists(`${name} exists`);
    if (verb === "replace") {
      if (current === undefined) throw new NotFound(name);
      if (current.metadata.resourceVersion !== resourceVersion) throw new Conflict(`${name} has changed`);
    }
    const done = { ...segment, metadata: { ...segment.metadata, resourceVersion: String(++this.#version) } };
    this.stored.set(name, done);
    return done;
  }
}
