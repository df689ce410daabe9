import { describe, expect, it } from "vitest";
import { MetricsRegistry } from "./metrics.ts";

const help = "For the test.";

describe("MetricsRegistry", () => {
  it("counts", async () => {
    const metrics = new MetricsRegistry();
    const counter = metrics.counter("requests_total", { help, labels: ["code"] });
    counter.inc({ code: "200" });
    counter.inc({ code: "200" }, 2);
    counter.inc({ code: "500" });
    expect(await metrics.value("requests_total", { code: "200" })).toBe(3);
    expect(await metrics.value("requests_total", { code: "500" })).toBe(1);
  });

  it("counts without labels", async () => {
    const metrics = new MetricsRegistry();
    metrics.counter("throttled_total", { help }).inc();
    expect(await metrics.value("throttled_total")).toBe(1);
  });

  it("holds the latest value of a gauge", async () => {
    const metrics = new MetricsRegistry();
    const gauge = metrics.gauge("depth", { help, labels: ["queue"] });
    gauge.set({ queue: "a" }, 5);
    gauge.set({ queue: "a" }, 2);
    expect(await metrics.value("depth", { queue: "a" })).toBe(2);
  });

  it("sorts observations into the given buckets", async () => {
    const metrics = new MetricsRegistry();
    const histogram = metrics.histogram("seconds", { help, labels: ["verb"], buckets: [1, 5] });
    for (const value of [0.5, 3, 60]) histogram.observe({ verb: "get" }, value);
    const text = await metrics.text();
    expect(text).toContain('seconds_bucket{le="1",verb="get"} 1');
    expect(text).toContain('seconds_bucket{le="5",verb="get"} 2');
    expect(text).toContain('seconds_bucket{le="+Inf",verb="get"} 3');
    expect(text).toContain('seconds_sum{verb="get"} 63.5');
  });

  it("returns the number of observations as the value of a histogram", async () => {
    const metrics = new MetricsRegistry();
    const histogram = metrics.histogram("seconds", { help, labels: ["verb"] });
    for (const value of [0.5, 3, 60]) histogram.observe({ verb: "get" }, value);
    histogram.observe({ verb: "list" }, 1);
    expect(await metrics.value("seconds", { verb: "get" })).toBe(3);
    expect(await metrics.value("seconds")).toBe(4);
  });

  it("returns the same metric for the same name", async () => {
    const metrics = new MetricsRegistry();
    metrics.counter("a_total", { help }).inc();
    metrics.counter("a_total", { help }).inc();
    metrics.gauge("b", { help, labels: ["x"] }).set({ x: "1" }, 1);
    metrics.gauge("b", { help, labels: ["x"] }).set({ x: "1" }, 7);
    metrics.histogram("c", { help }).observe({}, 1);
    metrics.histogram("c", { help }).observe({}, 1);
    expect(await metrics.value("a_total")).toBe(2);
    expect(await metrics.value("b", { x: "1" })).toBe(7);
    expect(await metrics.value("c")).toBe(2);
  });

  it("rejects a name of a metric of another type", () => {
    const metrics = new MetricsRegistry();
    metrics.counter("a_total", { help });
    expect(() => metrics.gauge("a_total", { help })).toThrow("a_total is already registered as a counter");
    expect(() => metrics.histogram("a_total", { help })).toThrow("a_total is already registered as a counter");
  });

  it("keeps registries apart", async () => {
    const metrics = new MetricsRegistry();
    new MetricsRegistry().counter("a_total", { help }).inc();
    metrics.counter("a_total", { help });
    expect(await metrics.value("a_total")).toBe(0);
  });

  it("removes one series and keeps the others", async () => {
    const metrics = new MetricsRegistry();
    const gauge = metrics.gauge("ready", { help, labels: ["object"] });
    gauge.set({ object: "gone" }, 1);
    gauge.set({ object: "here" }, 1);
    metrics.forget("ready", { object: "gone" });
    expect(await metrics.text()).not.toContain("gone");
    expect(await metrics.value("ready", { object: "here" })).toBe(1);
  });

  it("ignores the removal of an unknown series", () => {
    expect(() => new MetricsRegistry().forget("ready", { object: "a" })).not.toThrow();
  });

  it("returns 0 for a series or a metric that does not exist", async () => {
    const metrics = new MetricsRegistry();
    metrics.counter("a_total", { help, labels: ["x"] }).inc({ x: "1" });
    expect(await metrics.value("a_total", { x: "2" })).toBe(0);
    expect(await metrics.value("nothing")).toBe(0);
  });

  it("adds up the series that share the given labels", async () => {
    const metrics = new MetricsRegistry();
    const counter = metrics.counter("a_total", { help, labels: ["x", "y"] });
    counter.inc({ x: "1", y: "1" });
    counter.inc({ x: "1", y: "2" });
    counter.inc({ x: "2", y: "1" });
    expect(await metrics.value("a_total", { x: "1" })).toBe(2);
    expect(await metrics.value("a_total")).toBe(3);
  });

  it("writes the Prometheus text format with its content type", async () => {
    const metrics = new MetricsRegistry();
    metrics.counter("a_total", { help }).inc();
    expect(await metrics.text()).toBe("# HELP a_total For the test.\n# TYPE a_total counter\na_total 1\n");
    expect(metrics.contentType).toMatch(/^text\/plain/);
  });

  it("adds process metrics with Butler's prefix", async () => {
    const metrics = new MetricsRegistry();
    metrics.collectProcessMetrics();
    expect(await metrics.text()).toContain("butler_nodejs_eventloop_lag_seconds");
  });
});
