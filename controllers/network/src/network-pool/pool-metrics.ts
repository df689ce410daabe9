import { NetworkPool } from "@butler/api";
import type { CacheSet } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import type { MetricsRegistry } from "@butler/telemetry";

const total = "butler_network_pool_total_ips";
const allocated = "butler_network_pool_allocated_ips";
const quarantined = "butler_network_pool_quarantined_ips";
const available = "butler_network_pool_available_ips";
const claims = "butler_network_pool_allocation_count";
const fragmentation = "butler_network_pool_fragmentation_percent";
const largest = "butler_network_pool_largest_free_block";
const processed = "butler_ip_allocation_processed_total";

const labels = ["pool", "namespace"];

/** Keeps the metrics of pools in sync with their status; they are deleted with the pool. */
export function followPools(caches: Pick<CacheSet, "of">, metrics: MetricsRegistry): void {
  const gauges = [
    [total, "totalIPs", metrics.gauge(total, { help: "Allocatable addresses in a pool.", labels })],
    [allocated, "allocatedIPs", metrics.gauge(allocated, { help: "Allocated addresses.", labels })],
    [quarantined, "quarantinedIPs", metrics.gauge(quarantined, { help: "Released addresses in quarantine.", labels })],
    [available, "availableIPs", metrics.gauge(available, { help: "Available addresses.", labels })],
    [claims, "allocationCount", metrics.gauge(claims, { help: "IPAllocations that hold addresses.", labels })],
    [
      fragmentation,
      "fragmentationPercent",
      metrics.gauge(fragmentation, { help: "Fragmentation of the free addresses, in percent.", labels }),
    ],
    [largest, "largestFreeBlock", metrics.gauge(largest, { help: "Addresses in the largest free block.", labels })],
  ] as const;
  caches.of(NetworkPool).addHandler(({ type, object }) => {
    const { name: pool, namespace = "" } = object.metadata;
    for (const [name, field, gauge] of gauges) {
      const value = object.status?.[field];
      if (type === "delete") metrics.forget(name, { pool, namespace });
      else if (value !== undefined) gauge.set({ pool, namespace }, value);
    }
    if (type !== "delete") return;
    for (const result of ["success", "failed"]) metrics.forget(processed, { pool, namespace, result });
  });
}

/** Counts claims that were served or refused. */
export function claimCounter(metrics: MetricsRegistry): (pool: ObjectKey, isServed: boolean) => void {
  const counter = metrics.counter(processed, {
    help: "Processed IPAllocations, by result.",
    labels: [...labels, "result"],
  });
  return ({ name, namespace = "" }, isServed) =>
    counter.inc({ pool: name, namespace, result: isServed ? "success" : "failed" });
}
