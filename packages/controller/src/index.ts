/**
 * Controllers as data: `defineController` declares the kinds and how to observe, decide and act, and the runtime
 * does the rest: watching, queueing, applying only what differs, status, events, metrics, retries. `defineSingleton`
 * declares a loop with a single desired state in the same way. The only place with timers; no knowledge of any
 * particular kind.
 */
export * from "./admission/index.ts";
export * from "./applied.ts";
export * from "./define-controller.ts";
export * from "./define-singleton.ts";
export * from "./desired-status.ts";
export * from "./event-recorder.ts";
export * from "./plan.ts";
export * from "./preview.ts";
export * from "./rbac.ts";
export * from "./reconciler.ts";
export * from "./runtime.ts";
export * from "./side-effect.ts";
export * from "./singleton-runtime.ts";
export * from "./via-changes.ts";
