import type { Kind, KubeObject, ObjectKey, ObjectOf, Resource } from "@butler/resource";
import type { InformerScope, ObjectFor } from "@butler/kube";
import type { Effect, Plan } from "./plan.ts";

/** A kind that a controller creates and owns. */
export interface OwnedKind {
  readonly kind: Kind;
  /** Which of them are cached. Defaults to all. */
  readonly scope?: InformerScope;
}

/** Another kind whose changes enqueue an object of the primary kind. */
export interface SecondaryWatch {
  readonly kind: Kind;
  readonly scope?: InformerScope;
  /** The primary objects that a change affects. */
  readonly map: (object: KubeObject, read: CacheReader) => readonly ObjectKey[];
}

/** Maps changes of another kind to the primary objects they affect. */
export function via<K extends Kind>(
  kind: K,
  map: (object: ObjectFor<K>, read: CacheReader) => readonly ObjectKey[],
  scope?: InformerScope,
): SecondaryWatch {
  const erased = map as unknown as SecondaryWatch["map"];
  return { kind, map: erased, ...(scope === undefined ? {} : { scope }) };
}

/**
 * Reads from the caches of the kinds that a controller has declared. In `observe`, reading a kind that the API server
 * does not serve fails the pass: check optional kinds with `isServed` first.
 */
export interface CacheReader {
  get<K extends Kind>(kind: K, key: ObjectKey): ObjectFor<K> | undefined;
  list<K extends Kind>(kind: K): ObjectFor<K>[];
  byIndex<K extends Kind>(kind: K, index: string, value: string): ObjectFor<K>[];
  /** Whether the API server serves a kind. After a change, all objects of the controller are reconciled. */
  isServed(kind: Kind): boolean;
}

/** An index over a cached kind. */
export interface CacheIndex {
  readonly kind: Kind;
  readonly name: string;
  readonly of: (object: KubeObject) => readonly string[];
}

export interface ObserveContext<R extends Resource, Ports> {
  /** The object being reconciled, as the cache holds it. */
  readonly primary: ObjectOf<R>;
  readonly read: CacheReader;
  readonly ports: Ports;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Performs one effect. Must be idempotent; the next observe sees the result. */
export type Performer<E extends Effect, Ports> = (effect: E, ports: Ports, signal: AbortSignal) => Promise<void>;

/** One performer for each type of effect. */
export type Performers<E extends Effect, Ports> = {
  readonly [T in E["type"]]: Performer<Extract<E, { type: T }>, Ports>;
};

/** A permission beyond those that follow from the kinds a controller reads and owns. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A controller: its kinds, and how to observe, decide and act. The entry point of a controller's folder. */
export interface ControllerDefinition<R extends Resource, Observed, E extends Effect, Ports> {
  /** Lower-case words with dashes; names the field manager, metrics and log lines. */
  readonly name: string;
  readonly primary: R;
  /** Kinds this controller applies or removes. A plan that touches another kind is refused. */
  readonly owns?: readonly OwnedKind[];
  readonly watches?: readonly SecondaryWatch[];
  /** Kinds that are read from the cache but do not trigger a reconcile when they change. */
  readonly reads?: readonly OwnedKind[];
  readonly indexes?: readonly CacheIndex[];
  readonly permissions?: readonly PolicyRule[];
  /** The finalizer to hold; required when a plan ever says `hold`. */
  readonly finalizer?: string;
  /** Number of objects reconciled at the same time. Defaults to 4. */
  readonly concurrency?: number;
  /** A pass that takes longer than this is canceled and retried. Defaults to 2 minutes. */
  readonly timeoutMs?: number;
  /** Reads everything the decision needs. Undefined when there is nothing to decide. */
  readonly observe: (context: ObserveContext<R, Ports>) => Observed | undefined | Promise<Observed | undefined>;
  /** Decides. Pure and synchronous: no reading, no clock but `now`, no randomness. */
  readonly plan: (observed: Observed, now: Date) => Plan<E>;
  readonly perform: Performers<E, Ports>;
}

/** Declares a controller. */
export function defineController<R extends Resource, Observed, E extends Effect = never, Ports = object>(
  definition: ControllerDefinition<R, Observed, E, Ports>,
): ControllerDefinition<R, Observed, E, Ports> {
  return Object.freeze(definition);
}
