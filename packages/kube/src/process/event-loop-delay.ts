import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Clock, Timer } from "@butler/std";
import type { MetricsRegistry } from "@butler/telemetry";

/** How often the delay is measured. */
const resolutionMs = 20;

const quantiles = ["0.5", "0.9", "0.99", "1"] as const;

/**
 * Publishes the event loop delay over windows of the given length; returns a function that stops it. Work that blocks
 * the loop shows here before it shows as a missed lease or a slow webhook.
 */
export function publishEventLoopDelay(
  metrics: MetricsRegistry,
  { clock, windowMs = 10_000 }: { readonly clock: Clock; readonly windowMs?: number },
): () => void {
  const gauge = metrics.gauge("butler_event_loop_delay_seconds", {
    help: "Event loop delay over the last window, by quantile.",
    labels: ["quantile"],
  });
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  const publish = (): void => {
    for (const quantile of quantiles) {
      // The recorded value is the time between two ticks, including the interval itself.
      const delayMs = histogram.percentile(Number(quantile) * 100) / 1e6 - resolutionMs;
      gauge.set({ quantile }, histogram.count === 0 ? 0 : Math.max(0, delayMs) / 1_000);
    }
    histogram.reset();
  };
  let timer: Timer;
  const schedule = (): void => {
    timer = clock.after(windowMs, () => {
      publish();
      schedule();
    });
  };
  histogram.enable();
  publish();
  schedule();
  return () => {
    timer.cancel();
    histogram.disable();
  };
}
