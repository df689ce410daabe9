import type { MetricsRegistry } from "@butler/telemetry";

/** Metrics of an informer. */
export interface InformerMetrics {
  listed(): void;
  restarted(reason: string): void;
  received(type: string): void;
  held(objects: number): void;
  served(isServed: boolean): void;
  handlerFailed(): void;
}

/** The metrics of the informer of one kind. */
export function informerMetrics(registry: MetricsRegistry, kind: string): InformerMetrics {
  const lists = registry.counter("butler_informer_lists_total", {
    help: "Full lists, including the initial one.",
    labels: ["kind"],
  });
  const restarts = registry.counter("butler_informer_watch_restarts_total", {
    help: "Watch restarts, by kind and reason.",
    labels: ["kind", "reason"],
  });
  const events = registry.counter("butler_informer_events_total", {
    help: "Events delivered to listeners, by kind and type.",
    labels: ["kind", "type"],
  });
  const objects = registry.gauge("butler_informer_objects", { help: "Objects in the cache.", labels: ["kind"] });
  const served = registry.gauge("butler_informer_kind_served", {
    help: "1 while the API server serves the kind, 0 while it does not.",
    labels: ["kind"],
  });
  const failures = registry.counter("butler_informer_handler_failures_total", {
    help: "Listener calls that failed.",
    labels: ["kind"],
  });
  return {
    listed: () => lists.inc({ kind }),
    restarted: (reason) => restarts.inc({ kind, reason }),
    received: (type) => events.inc({ kind, type }),
    served: (isServed) => served.set({ kind }, isServed ? 1 : 0),
    held: (count) => objects.set({ kind }, count),
    handlerFailed: () => failures.inc({ kind }),
  };
}
