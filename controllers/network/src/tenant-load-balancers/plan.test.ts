import { labels } from "@butler/api";
import { describe, expect, it } from "vitest";
import { aClaim, allocatedStatus, aPool } from "../testing/objects.ts";
import { isAboutToShrink, plan } from "./plan.ts";
import { aGrowth, ago, anInitial, aService, metalLbWith, now, observedOf } from "./testing/observed-objects.ts";

const initial = anInitial("10.40.0.0", "10.40.0.1");
const grown = { range: ["10.40.0.4", "10.40.0.5"] as [string, string] };
const inUse = [aService("a", { ip: "10.40.0.0" }), aService("b", { ip: "10.40.0.1" })];
const waiting = (count: number) => Array.from({ length: count }, (_none, at) => aService(`w${at}`));
const room = (name: string, largestFreeBlock: number) => aPool({ name, status: { largestFreeBlock } });

function decide(traits: Parameters<typeof observedOf>[0]) {
  const { apply = [], remove = [], effects = [], events = [], requeueAfterMs } = plan(observedOf(traits), now);
  return {
    claimed: apply.map((object) => {
      const { metadata, spec } = object as typeof initial;
      return `${metadata.name} ${spec.count} of ${spec.poolRef.name}`;
    }),
    removed: remove.map(({ name }) => name),
    effects,
    events: events.map(({ reason }) => reason),
    messages: events.map(({ message }) => message),
    requeueAfterMs,
  };
}

describe("a tenant that cannot be read", () => {
  it("keeps its addresses", () => {
    const claims = [initial, aGrowth("g1", { ...grown, unusedSince: ago(9_999) })];
    const observed = { ...observedOf({ claims, services: waiting(9) }), tenant: undefined };
    expect(plan(observed, now)).toEqual({ finalizer: "none", requeueAfterMs: 30_000 });
    expect(isAboutToShrink(observed, now)).toBe(false);
  });
});

describe("growth", () => {
  it("serves all waiting Services at once, by at least one increment", () => {
    const one = decide({ claims: [initial], services: [...inUse, ...waiting(1)] });
    expect(one.claimed).toEqual(["shop-uid-of-s-lb-g1 2 of underlay"]);
    expect(one.events).toEqual(["LoadBalancerPoolGrown"]);
    const many = decide({ claims: [initial], services: [...inUse, ...waiting(5)] });
    expect(many.claimed).toEqual(["shop-uid-of-s-lb-g1 5 of underlay"]);
    const step = decide({
      claims: [initial],
      services: [...inUse, ...waiting(1)],
      loadBalancer: { growthIncrement: 4 },
    });
    expect(step.claimed).toEqual(["shop-uid-of-s-lb-g1 4 of underlay"]);
  });

  it("labels a claim like the cluster's other claims, and with its role", () => {
    const { apply } = plan(observedOf({ services: waiting(1) }), now);
    expect(apply?.[0]?.metadata).toMatchObject({
      namespace: "butler-system",
      labels: {
        [labels.allocationRole]: "growth",
        [labels.allocationType]: "loadbalancer",
        [labels.networkPool]: "underlay",
        [labels.sourceName]: "shop",
        [labels.sourceNamespace]: "payments",
        [labels.team]: "payments",
        "cluster.x-k8s.io/cluster-name": "shop",
      },
    });
  });

  it.each<[string, Parameters<typeof observedOf>[0]]>([
    ["nobody waits", { claims: [initial], services: inUse }],
    ["there are free addresses", { claims: [initial], services: waiting(2), provider: "harvester" }],
    ["Butler can serve them itself", { claims: [initial], services: waiting(2) }],
    ["they ask for a certain address", { services: [aService("a", { spec: { loadBalancerIP: "10.9.9.9" } })] }],
    ["they are of another class", { services: [aService("a", { spec: { loadBalancerClass: "x/y" } })] }],
    ["no pool has their kind of address", { services: [aService("a", { spec: { ipFamilies: ["IPv6"] } })] }],
    ["a claim is on its way", { claims: [aGrowth("shop-g1")], services: waiting(9) }],
    ["there is no pool", { pools: [], services: waiting(1) }],
  ])("does not happen if %s", (_when, traits) => {
    expect(decide(traits)).toMatchObject({ claimed: [], removed: [] });
  });

  it("is delayed, so that Services created together are served together", () => {
    const early = decide({ services: waiting(1), waitedMs: 4_000 });
    expect(early).toMatchObject({ claimed: [], requeueAfterMs: 1_000 });
    expect(decide({ services: waiting(1), waitedMs: 5_000 }).claimed).toHaveLength(1);
  });

  it("does not happen for a static cluster, which is reported", () => {
    const traits = { services: waiting(1), loadBalancer: { allocationMode: "static" } };
    expect(decide(traits)).toMatchObject({ claimed: [], events: ["LoadBalancerPoolExhausted"] });
  });

  it("uses the next free number, also with claims in quarantine", () => {
    const resting = { ...aGrowth("shop-uid-of-s-lb-g1", grown), status: { phase: "Released" as const } };
    const going = { ...resting, metadata: { ...resting.metadata, deletionTimestamp: ago(1) } };
    expect(decide({ claims: [going], services: waiting(1) }).claimed).toEqual(["shop-uid-of-s-lb-g2 2 of underlay"]);
  });

  it.each([
    [9, 5, ["shop-uid-of-s-lb-g1 5 of underlay"], ["LoadBalancerPoolGrown"]],
    [4, 5, ["shop-uid-of-s-lb-g1 2 of underlay"], ["LoadBalancerQuotaReached", "LoadBalancerPoolGrown"]],
    [2, 1, [], ["LoadBalancerQuotaReached"]],
    [3, 1, ["shop-uid-of-s-lb-g1 1 of underlay"], ["LoadBalancerPoolGrown"]],
  ])("is cut to a limit of %i with %i waiting Services", (limit, count, claimed, events) => {
    const decided = decide({ claims: [initial], services: [...inUse, ...waiting(count)], limit });
    expect(decided).toMatchObject({ claimed, events });
    if (claimed.length === 0) {
      expect(decided.messages[0]).toContain("requested 1 more, claimed 2, limited to");
    }
  });

  it.each([
    ["the first pool with room", [room("a", 1), room("b", 2), room("c", 9)], ["b 2"]],
    ["less than a step when no pool has one", [room("a", 1), room("b", 0)], ["a 1"]],
    ["what there is when it is not enough", [room("a", 1), room("b", 2)], ["b 2"], 3],
    ["the first pool to wait in when all are full", [room("a", 0), room("b", 0)], ["a 3"], 3],
  ])("takes %s", (_what, pools, expected, count = 1) => {
    const { apply = [] } = plan(observedOf({ pools, services: waiting(count) }), now);
    expect(
      apply.map((object) => `${(object as typeof initial).spec.poolRef.name} ${(object as typeof initial).spec.count}`),
    ).toEqual(expected);
  });

  it.each<[string, Parameters<typeof observedOf>[0], string[]]>([
    ["stays while there is no better place", { pools: [room("underlay", 0)] }, []],
    ["moves on when another pool has room", { pools: [room("underlay", 0), room("b", 2)] }, ["g1"]],
    ["asks for less when that is to be had", { pools: [room("underlay", 1)] }, ["g1"]],
    ["moves on when its pool is gone", { pools: [room("b", 0)] }, ["g1"]],
    ["is deleted when no Service waits", { services: [] }, ["g1"]],
  ])("that is pending in an exhausted pool %s", (_what, traits, removed) => {
    const claims = [aGrowth("g1", { reason: "PoolExhausted" })];
    expect(decide({ claims, services: waiting(2), ...traits })).toMatchObject({ claimed: [], removed });
  });
});

describe("shrinking", () => {
  const unused = aGrowth("g1", { ...grown, unusedSince: ago(600) });

  it("records since when a block is unused, and removes the annotation when it is used", () => {
    const fresh = decide({ claims: [initial, aGrowth("g1", grown)], services: inUse });
    expect(fresh.effects).toMatchObject([{ type: "noteUse", name: "g1", unusedSince: now.toISOString() }]);
    expect(fresh).toMatchObject({ removed: [], requeueAfterMs: 600_000 });
    const used = decide({ claims: [initial, unused], services: [aService("a", { ip: "10.40.0.5" })] });
    expect(used.effects).toMatchObject([{ type: "noteUse", name: "g1", unusedSince: null }]);
    expect(used.removed).toEqual([]);
  });

  it("removes a block that has been unused for long enough", () => {
    const decided = decide({ claims: [initial, unused], services: inUse });
    expect(decided).toMatchObject({ removed: ["g1"], effects: [], events: ["LoadBalancerPoolShrunk"] });
    expect(decide({ claims: [unused], loadBalancer: { shrinkAfter: "11m" } })).toMatchObject({
      removed: [],
      requeueAfterMs: 60_000,
    });
  });

  it.each<[string, Parameters<typeof observedOf>[0]]>([
    ["is what the cluster was made with", { claims: [initial] }],
    ["is pinned", { claims: [pinned()] }],
    // Without free addresses elsewhere, a block would be kept in any case, whether in use or not.
    ["is in use by another controller's Service", { claims: [initial, unused], services: [theirs()] }],
    ["is in use by a Service that is going", { claims: [initial, unused], services: [leaving()] }],
    ["was not looked at just now", { isFresh: false }],
    ["is needed by those who wait", { provider: "harvester", services: waiting(1) }],
  ])("never removes a block that %s", (_what, traits) => {
    expect(decide({ claims: [unused], ...traits }).removed).toEqual([]);
  });

  it("assigns an unused block to waiting Services instead of removing it", () => {
    const decided = decide({ claims: [unused], services: waiting(1) });
    expect(decided.removed).toEqual([]);
    expect(decided.effects).toMatchObject([
      { type: "assignAddress", address: "10.40.0.4" },
      { type: "noteUse", unusedSince: null },
    ]);
  });

  it.each(["soon", "", "2027-01-01T00:00:00Z"])("resets the invalid annotation %j", (unusedSince) => {
    const decided = decide({ claims: [aGrowth("g1", { ...grown, unusedSince })] });
    expect(decided.effects).toMatchObject([{ type: "noteUse", unusedSince: now.toISOString() }]);
    expect(decided.removed).toEqual([]);
  });

  function pinned() {
    const { metadata, spec, ...rest } = unused;
    return {
      ...rest,
      metadata,
      spec: { ...spec, pinnedRange: { startAddress: "10.40.0.4", endAddress: "10.40.0.5" } },
    };
  }
  function theirs() {
    return aService("a", { ip: "10.40.0.4", spec: { loadBalancerClass: "x/y" } });
  }
  function leaving() {
    return aService("a", { ip: "10.40.0.4", isGoing: true });
  }
});

describe("MetalLB", () => {
  const provider = "harvester";
  const claims = [initial, aGrowth("g1", { ...grown, unusedSince: ago(600) })];
  const published = (traits: Parameters<typeof observedOf>[0]) =>
    decide({ provider, claims: [initial], services: inUse, ...traits }).effects;

  it("is configured with exactly the cluster's blocks", () => {
    const unaligned = aClaim({ name: "shop-odd", status: allocatedStatus("10.40.0.9", "10.40.0.11") });
    expect(published({ claims: [initial, unaligned], metalLb: metalLbWith([]) })).toMatchObject([
      { type: "publishBlocks", blocks: ["10.40.0.0/31", "10.40.0.9-10.40.0.11"] },
    ]);
    expect(published({ metalLb: metalLbWith(["10.40.0.0/31"]) })).toEqual([]);
    expect(published({ metalLb: metalLbWith(["10.40.0.0/31", "10.9.0.0/24"]) })).toHaveLength(1);
    const unannounced = { ...metalLbWith(["10.40.0.0/31"]), advertisement: undefined };
    expect(published({ metalLb: unannounced })).toHaveLength(1);
  });

  it("is not configured while it is not installed, nor without changes", () => {
    expect(published({})).toEqual([]);
    expect(published({ claims: [], metalLb: metalLbWith([]) })).toEqual([]);
  });

  it("loses its pool together with the last block", () => {
    expect(published({ claims: [], metalLb: metalLbWith(["10.40.0.0/31"]) })).toMatchObject([{ blocks: [] }]);
  });

  it("loses a block before the claim is deleted", () => {
    const before = metalLbWith(["10.40.0.0/31", "10.40.0.4/31"]);
    const first = decide({ provider, claims, services: inUse, metalLb: before });
    expect(first).toMatchObject({ removed: [], effects: [{ type: "publishBlocks", blocks: ["10.40.0.0/31"] }] });
    const second = decide({ provider, claims, services: inUse, metalLb: metalLbWith(["10.40.0.0/31"]) });
    expect(second).toMatchObject({ removed: ["g1"], effects: [] });
  });

  it("gets a block back if an address of it was assigned in the meantime", () => {
    const services = [...inUse, aService("c", { ip: "10.40.0.4" })];
    const decided = decide({ provider, claims, services, metalLb: metalLbWith(["10.40.0.0/31"]) });
    expect(decided.removed).toEqual([]);
    expect(decided.effects).toMatchObject([
      { type: "publishBlocks", blocks: ["10.40.0.0/31", "10.40.0.4/31"] },
      { type: "noteUse", unusedSince: null },
    ]);
  });
});
