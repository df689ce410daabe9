import type { InformerScope, ObjectFor, StoreEvent } from "@butler/kube";
import type { Kind, KubeObject } from "@butler/resource";
import type { BackoffPolicy } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { CacheReader, PolicyRule } from "./define-controller.ts";
import type { SideEffect } from "./side-effect.ts";

/** A kind whose changes trigger a pass. */
export interface SingletonWatch {
  readonly kind: Kind;
  /** Which of them are cached. Defaults to all. */
  readonly scope?: InformerScope;
  /** Whether a change affects the desired state. Defaults to always. */
  readonly matters?: (event: StoreEvent<KubeObject>, read: CacheReader) => boolean;
}

/** Declares a watch of a singleton. */
export function watching<K extends Kind>(
  kind: K,
  options: {
    readonly scope?: InformerScope;
    readonly matters?: (event: StoreEvent<ObjectFor<K>>, read: CacheReader) => boolean;
  } = {},
): SingletonWatch {
  return { kind, ...(options as Omit<SingletonWatch, "kind">) };
}

/** Why a pass runs: the process has started, a watched object has changed, it is time to resync, or it has failed. */
export type Occasion = "start" | "change" | "resync" | "retry";

/** What a pass of a singleton works with. */
export interface SingletonPass<Ports> {
  readonly occasion: Occasion;
  readonly read: CacheReader;
  readonly ports: Ports;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Does what changes state: counted, logged, and intercepted by the crash harness. */
  readonly act: <T>(effect: SideEffect, run: () => Promise<T>) => Promise<T>;
  /** Adds the response to a write to the caches. */
  readonly noteWrite: <K extends Kind>(kind: K, object: ObjectFor<K>) => void;
}

/**
 * A reconcile loop with a single desired state instead of one for each object of a kind: a role that lists all users,
 * the certificate of a process. Each pass covers all of it, so that a burst of changes results in few passes.
 */
export interface SingletonDefinition<Ports> {
  /** Lower-case words with dashes; names the metrics and log lines. */
  readonly name: string;
  readonly watches?: readonly SingletonWatch[];
  /** All permissions beyond reading the watched kinds. A watch limited to one name is also listed here. */
  readonly permissions?: readonly PolicyRule[];
  /** Runs a pass after this long without a change. By default only changes trigger one. */
  readonly resyncMs?: number;
  /** Delay before a pass, so that changes in close succession are handled together. Defaults to none. */
  readonly settleMs?: number;
  /** Delay after a successful pass, which limits how often they run. Defaults to none. */
  readonly pauseMs?: number;
  readonly backoff: BackoffPolicy;
  /** A pass that takes longer than this is canceled and retried. Defaults to 2 minutes. */
  readonly timeoutMs?: number;
  /** Ends after the first pass that succeeds. */
  readonly runsOnce?: boolean;
  /** How a failed pass is logged. */
  readonly failure: { readonly message: string; readonly hint?: string; readonly level?: "warn" | "error" };
  /** Brings about the desired state. Must be idempotent; throws unless all of it is in place. */
  readonly reconcile: (pass: SingletonPass<Ports>) => Promise<void>;
}

/** Declares a singleton. */
export function defineSingleton<Ports = object>(definition: SingletonDefinition<Ports>): SingletonDefinition<Ports> {
  return Object.freeze(definition);
}
