import { Bug } from "@butler/std";
import client from "prom-client";

type Labels = Readonly<Record<string, string>>;

/** A count that only grows. */
export interface Counter {
  inc(labels?: Labels, by?: number): void;
}

/** A value that goes up and down. */
export interface Gauge {
  set(labels: Labels, value: number): void;
}

/** A distribution, in base units (seconds, bytes). */
export interface Histogram {
  observe(labels: Labels, value: number): void;
}

export interface MetricOptions {
  readonly help: string;
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
}

/**
 * The metrics of one process, in Prometheus' text format. Registering a name twice returns the same metric, so that no
 * central list is needed. `forget` drops the series of a deleted object.
 */
export class MetricsRegistry {
  readonly #registry = new client.Registry();

  counter(name: string, { help, labels = [] }: MetricOptions): Counter {
    const metric =
      (this.#existing(name, "counter") as client.Counter | undefined) ??
      new client.Counter({ name, help, labelNames: [...labels], registers: [this.#registry] });
    return { inc: (values = {}, by = 1) => metric.inc({ ...values }, by) };
  }

  gauge(name: string, { help, labels = [] }: MetricOptions): Gauge {
    const metric =
      (this.#existing(name, "gauge") as client.Gauge | undefined) ??
      new client.Gauge({ name, help, labelNames: [...labels], registers: [this.#registry] });
    return { set: (values, value) => metric.set({ ...values }, value) };
  }

  histogram(name: string, { help, labels = [], buckets }: MetricOptions): Histogram {
    const metric =
      (this.#existing(name, "histogram") as client.Histogram | undefined) ??
      new client.Histogram({
        name,
        help,
        labelNames: [...labels],
        registers: [this.#registry],
        ...(buckets === undefined ? {} : { buckets: [...buckets] }),
      });
    return { observe: (values, value) => metric.observe({ ...values }, value) };
  }

  /** Removes one series, given all of its labels. */
  forget(name: string, labels: Labels): void {
    this.#registry.getSingleMetric(name)?.remove({ ...labels });
  }

  /** Adds Node's own figures: memory, garbage collection, event-loop delay, open handles. */
  collectProcessMetrics(): void {
    client.collectDefaultMetrics({ register: this.#registry, prefix: "butler_" });
  }

  /**
   * The sum of the series that have the given labels, for tests and status pages; 0 when there are none. Of a histogram
   * it is the number of observations.
   */
  async value(name: string, labels: Labels = {}): Promise<number> {
    const metric = await this.#registry.getSingleMetric(name)?.get();
    const wanted = Object.entries(labels);
    const series: readonly client.MetricValueWithName<string>[] = metric?.values ?? [];
    const counted =
      String(metric?.type) === "histogram" ? series.filter((one) => one.metricName === `${name}_count`) : series;
    const matching = counted.filter((one) => wanted.every(([label, text]) => one.labels[label] === text));
    return matching.reduce((sum, { value }) => sum + value, 0);
  }

  /** The whole registry in Prometheus' text form. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #existing(name: string, type: "counter" | "gauge" | "histogram"): client.Metric | undefined {
    const metric = this.#registry.getSingleMetric(name);
    // The library's types omit the field that distinguishes metric types.
    const present = (metric as { type?: string } | undefined)?.type;
    if (present !== undefined && present !== type)
      throw new Bug(`the metric ${name} is already registered as a ${present}`);
    return metric;
  }

  readonly contentType = client.Registry.PROMETHEUS_CONTENT_TYPE;
}
