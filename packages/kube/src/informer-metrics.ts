import type { MetricsRegistry } from "@butler/telemetry";

/** What an informer counts. */
export interface InformerMetrics {
  listed(): void;
  restarted(reason: string): void;
  received(type: string): void;
  held(objects: number): void;
  handlerFailed(): void;
}

/** The metrics of the informer of one kind. */
export function informerMetrics(registry: MetricsRegistry, kind: string): InformerMetrics {
  const lists = registry.counter("butler_informer_lists_total", {
    help: "Complete lists read, the first one included.",
    labels: ["kind"],
  });
  const restarts = registry.counter("butler_informer_watch_restarts_total", {
    help: "Watches that ended or broke and were opened again, by reason.",
    labels: ["kind", "reason"],
  });
  const events = registry.counter("butler_informer_events_total", {
    help: "Changes passed on to listeners.",
    labels: ["kind", "type"],
  });
  const objects = registry.gauge("butler_informer_objects", { help: "Objects held in the cache.", labels: ["kind"] });
  const failures = registry.counter("butler_informer_handler_failures_total", {
    help: "Listeners that threw.",
    labels: ["kind"],
  });
  return {
    listed: () => lists.inc({ kind }),
    restarted: (reason) => restarts.inc({ kind, reason }),
    received: (type) => events.inc({ kind, type }),
    held: (count) => objects.set({ kind }, count),
    handlerFailed: () => failures.inc({ kind }),
  };
}
