import { kindId, type KubeObject, type Resource } from "@butler/resource";
import type { MetricsRegistry } from "@butler/telemetry";
import type { PassResult } from "./reconciler.ts";

/** Metrics of passes. */
export interface PassMetrics {
  finished(result: PassResult["outcome"] | "crashed", seconds: number): void;
  wrote(result: Pick<PassResult, "sideEffects">): void;
  retried(): void;
}

/** What a controller measures. */
export interface ControllerMetrics extends PassMetrics {
  depth(depth: number): void;
  ready(object: KubeObject, isReady: boolean): void;
  gone(object: KubeObject): void;
}

const durationBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const readyName = "butler_object_ready";

/** The metrics of the passes of a controller or singleton. */
export function passMetrics(registry: MetricsRegistry, controller: string): PassMetrics {
  const duration = registry.histogram("butler_reconcile_duration_seconds", {
    help: "Duration of a reconcile pass for an object, by outcome.",
    labels: ["controller", "outcome"],
    buckets: durationBuckets,
  });
  const effects = registry.counter("butler_reconcile_side_effects_total", {
    help: "Side effects of reconciliation, by verb. Does not increase while all objects are in sync.",
    labels: ["controller", "verb"],
  });
  const retries = registry.counter("butler_reconcile_retries_total", {
    help: "Reconcile passes that failed and were requeued.",
    labels: ["controller"],
  });
  return {
    finished: (outcome, seconds) => duration.observe({ controller, outcome }, seconds),
    wrote: ({ sideEffects }) => {
      for (const { verb } of sideEffects) effects.inc({ controller, verb });
    },
    retried: () => retries.inc({ controller }),
  };
}

/** The metrics of one controller. */
export function controllerMetrics(registry: MetricsRegistry, controller: string, primary: Resource): ControllerMetrics {
  const queue = registry.gauge("butler_queue_depth", { help: "Objects waiting for a worker.", labels: ["controller"] });
  const readiness = registry.gauge(readyName, {
    help: "1 if the object's Ready condition is True, otherwise 0. The series is removed when the object is deleted.",
    labels: ["kind", "namespace", "name"],
  });
  const seriesOf = ({ metadata: { namespace = "", name } }: KubeObject) => ({ kind: kindId(primary), namespace, name });
  return {
    ...passMetrics(registry, controller),
    depth: (depth) => queue.set({ controller }, depth),
    ready: (object, isReady) => readiness.set(seriesOf(object), isReady ? 1 : 0),
    gone: (object) => registry.forget(readyName, seriesOf(object)),
  };
}
