import { IPAllocation, NetworkPool, TenantCluster } from "@butler/api";
import type { Interceptor } from "@butler/controller";
import type { KubeClient } from "@butler/kube";
import { keyText } from "@butler/resource";
import { crashAfterEverySideEffect, startAfterChange } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NetworkHarness } from "./testing/network-harness.ts";
import { aClaim, aCluster, aPool, namespace } from "./testing/objects.ts";

let harness: NetworkHarness;

beforeAll(async () => {
  harness = await NetworkHarness.start();
  await harness.create(TenantCluster, aCluster());
});
afterAll(() => harness?.stop());

/** Runs every single write of a controller under the harness, including each write of an effect. */
function intercepted(client: KubeClient, intercept: Interceptor): KubeClient {
  const patch: KubeClient["patch"] = (kind, key, options) =>
    intercept({ verb: "perform", target: `${kind.plural} ${keyText(key)}` }, () => client.patch(kind, key, options));
  return {
    get: (...given) => client.get(...given),
    find: (...given) => client.find(...given),
    list: (...given) => client.list(...given),
    watch: (...given) => client.watch(...given),
    create: (...given) => client.create(...given),
    replace: (...given) => client.replace(...given),
    apply: (...given) => client.apply(...given),
    delete: (...given) => client.delete(...given),
    discover: (...given) => client.discover(...given),
    patch,
  };
}

/** A separate pool for each run, with addresses for two of three claims. */
function crashScenariosFor(purpose: string, change?: (names: readonly string[]) => Promise<unknown>) {
  return async (run: number) => {
    const pool = `${purpose}-${run}`;
    const names = ["a", "b", "c"].map((letter) => `${pool}-${letter}`);
    const cidr = `10.${purpose.length}.${run}.0/29`;
    await harness.create(NetworkPool, aPool({ name: pool, spec: { cidr, quarantine: "1s" } }));
    for (const name of names) await harness.create(IPAllocation, aClaim({ name, spec: { poolRef: { name: pool } } }));
    const look = async () => {
      const claims = await Promise.all(names.map((name) => harness.client.find(IPAllocation, { name, namespace })));
      const found = await harness.client.get(NetworkPool, { name: pool, namespace });
      return { claims, pool: found };
    };
    const start = async (intercept: Interceptor = (_effect, act) => act()) => {
      const { kill, isIdle } = await harness.run({ client: intercepted(harness.client, intercept) });
      const isSettled = async (): Promise<boolean> => {
        const { claims, pool: found } = await look();
        const isDone = claims.every((claim) => claim === undefined || isAtRest(claim));
        return isDone && found.status?.grants === undefined && found.status?.quarantinedIPs === 0 && isIdle();
      };
      return { isSettled, stop: kill };
    };
    return {
      start: startAfterChange(start, change && (() => change(names))),
      snapshot: async () => {
        const { claims, pool: found } = await look();
        const { allocatedIPs, availableIPs, quarantinedIPs, allocationCount } = found.status ?? {};
        return {
          counts: { allocatedIPs, availableIPs, quarantinedIPs, allocationCount },
          phases: claims.map((claim) => claim?.status?.phase ?? "gone"),
          distinct: new Set(claims.flatMap((claim) => claim?.status?.addresses ?? [])).size,
        };
      },
      tearDown: async () => {
        for (const name of names) await harness.tidyAway(IPAllocation, { name, namespace });
        await harness.tidyAway(NetworkPool, { name: pool, namespace });
      },
    };
  };
}

function isAtRest({ metadata, status }: IPAllocation): boolean {
  const isDecided =
    status?.phase === "Allocated" || status?.conditions?.some(({ reason }) => reason === "PoolExhausted");
  return metadata.deletionTimestamp === undefined && isDecided === true;
}

describe("the network controllers, stopped after each of their writes,", () => {
  it("allocate each address once", { timeout: 600_000 }, async () => {
    const report = await crashAfterEverySideEffect(crashScenariosFor("give"));
    expect(report.crashes).toBeGreaterThanOrEqual(9);
    expect(report.endState).toEqual({
      counts: { allocatedIPs: 8, availableIPs: 0, quarantinedIPs: 0, allocationCount: 2 },
      phases: ["Allocated", "Allocated", "Pending"],
      distinct: 8,
    });
  });

  it("release addresses and allocate them again", { timeout: 600_000 }, async () => {
    const report = await crashAfterEverySideEffect(
      crashScenariosFor("take-back", ([first = ""]) => harness.client.delete(IPAllocation, { name: first, namespace })),
    );
    expect(report.crashes).toBeGreaterThanOrEqual(5);
    expect(report.endState).toEqual({
      counts: { allocatedIPs: 8, availableIPs: 0, quarantinedIPs: 0, allocationCount: 2 },
      phases: ["gone", "Allocated", "Allocated"],
      distinct: 8,
    });
  });
});
