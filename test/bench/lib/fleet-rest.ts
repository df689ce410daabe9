import { setTimeout as wait } from "node:timers/promises";
import { byVerb, mapped, mostOf, type RequestCounts, requestsOf, sumOf } from "./fleet-audit.ts";
import { passesOf, writesOf } from "./fleet-manager.ts";
import { type Parts, users } from "./fleet-harness.ts";
import { samplesOf } from "./write-counts.ts";

const renewal = "update leases";

/** Duration of the measurement, and the number of clusters to divide by. */
export interface RestOptions {
  readonly seconds: number;
  readonly clusters: number;
  readonly signal: AbortSignal;
}

/** Requests and resource usage of the manager and Cluster API in a steady state. */
export async function measureRest(parts: Parts, { seconds, clusters, signal }: RestOptions) {
  const before = await look(parts);
  await wait(seconds * 1_000, undefined, { signal });
  const after = await look(parts);
  const asked = await parts.audit.between(before.mark, after.mark);
  const minutes = (after.manager.atMs - before.manager.atMs) / 60_000;
  const perMinute = (value: number): number => Number((value / minutes).toFixed(2));
  const summary = (counts: RequestCounts) => {
    const { watch = 0, ...verbs } = byVerb(counts);
    const total = sumOf(verbs);
    return {
      perMinute: perMinute(total),
      perClusterAndMinute: Number((total / minutes / clusters).toPrecision(3)),
      perMinuteByVerb: mapped(verbs, perMinute),
      watchesPerMinute: perMinute(watch),
      mostPerMinute: mapped(mostOf(counts, 10), perMinute),
    };
  };
  const byManager = requestsOf(asked, users.manager);
  return {
    leasePerMinute: perMinute(byManager[renewal] ?? 0),
    manager: {
      ...summary(byManager),
      ownCountPerMinute: perMinute(after.manager.requests - before.manager.requests),
      passesPerMinute: perMinute(passesOf(after.manager) - passesOf(before.manager)),
      writes: writesOf(after.manager) - writesOf(before.manager),
      cpuSecondsPerMinute: perMinute(after.manager.cpuSeconds - before.manager.cpuSeconds),
      residentMiB: Math.round(after.manager.residentMiB),
    },
    clusterApi: {
      ...summary(requestsOf(asked, users.clusterApi)),
      ownCountPerMinute: perMinute(after.clusterApiRequests - before.clusterApiRequests),
      toTenantsPerMinute: perMinute(after.tenantRequests - before.tenantRequests),
      cpuSecondsPerMinute: perMinute(after.clusterApi.cpuSeconds - before.clusterApi.cpuSeconds),
      residentMiB: Math.round(after.clusterApi.residentMiB),
    },
  };
}

async function look({ audit, manager, capi, views }: Parts) {
  return {
    mark: await audit.mark(),
    manager: await manager.sample(),
    clusterApi: await capi.process.use(),
    clusterApiRequests: await restClientRequests(capi.metricsUrl),
    tenantRequests: sumOf(views.counts),
  };
}

async function restClientRequests(url: string): Promise<number> {
  const text = await (await fetch(url)).text();
  return samplesOf(text, "rest_client_requests_total").reduce((sum, { value }) => sum + value, 0);
}
