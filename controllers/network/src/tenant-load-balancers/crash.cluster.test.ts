import type { Interceptor } from "@butler/controller";
import {
  crashAfterEverySideEffect,
  type CrashScenario,
  type RunningController,
  startAfterChange,
} from "@butler/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rangeOf } from "../shared/claims.ts";
import { aPool } from "../testing/objects.ts";
import { TenantHarness } from "./testing/tenant-harness.ts";

let harness: TenantHarness;
const names = ["a", "b", "c"];

beforeAll(async () => {
  harness = await TenantHarness.start();
});
afterAll(() => harness?.stop());

/** Addresses of Services and of the cluster, regardless of the order in which claims were served. */
async function look() {
  const services = await harness.services();
  const claims = await harness.claims();
  return {
    services,
    claims: claims
      .map((claim) => [claim.spec.count, rangeOf(claim)?.first.toString(), claim.spec.poolRef.name])
      .sort(([, left = ""], [, right = ""]) => (left < right ? -1 : 1)),
  };
}

function crashScenarioWith(shrinkAfter: string, change?: { run: () => Promise<unknown>; claims: number }) {
  return async (): Promise<CrashScenario> => {
    const loadBalancer = { allocationMode: "elastic", growthIncrement: 2, shrinkAfter };
    await harness.makeCluster({ loadBalancer, pools: [aPool({ spec: { quarantine: "0s" } })] });
    for (const name of names) await harness.createService(name);
    let expected = 2;
    const start = async (intercept?: Interceptor): Promise<RunningController> => {
      const running = await harness.run(intercept === undefined ? {} : { intercept });
      const isSettled = async (): Promise<boolean> => {
        const { services, claims } = await look();
        const isServed = services.every(([, address]) => address !== undefined);
        return (
          isServed && claims.length === expected && claims.every(([, first]) => first !== undefined) && running.isIdle()
        );
      };
      return { isSettled, stop: running.end };
    };
    const changing = async (): Promise<void> => {
      await change?.run();
      expected = change?.claims ?? expected;
    };
    return {
      start: startAfterChange(start, change === undefined ? undefined : changing),
      snapshot: look,
      tearDown: () => harness.tidy(),
    };
  };
}

it("a crash at any point of growing leads to the same final state", { timeout: 300_000 }, async () => {
  const { sideEffects, endState } = await crashAfterEverySideEffect(crashScenarioWith("1h"));
  const done = sideEffects.map(({ verb, target }) => `${verb} ${target.split(" ")[0]}`);
  expect(done).toContain("apply ipallocations.butler.butlerlabs.dev");
  expect(done.filter((text) => text === "perform assignAddress")).toHaveLength(3);
  expect(endState).toMatchObject({
    services: [
      ["a", "10.40.0.0"],
      ["b", "10.40.0.1"],
      ["c", "10.40.0.2"],
    ],
  });
});

it("a crash at any point of shrinking leads to the same final state", { timeout: 300_000 }, async () => {
  const change = { run: () => harness.deleteService("c"), claims: 1 };
  const { sideEffects, endState } = await crashAfterEverySideEffect(crashScenarioWith("1s", change));
  const done = sideEffects.map(({ verb, target }) => `${verb} ${target.split(" ")[0]}`);
  expect(done).toEqual([
    "perform noteUse",
    "remove ipallocations.butler.butlerlabs.dev",
    "event LoadBalancerPoolShrunk",
  ]);
  expect(endState).toMatchObject({
    services: [
      ["a", "10.40.0.0"],
      ["b", "10.40.0.1"],
    ],
  });
});
