import { IPAllocation, NetworkPool, TenantCluster } from "@butler/api";
import { findCondition } from "@butler/resource";
import { chooseSeed, eventually, seededRandom, shortOrLong } from "@butler/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AddressHistory } from "./testing/address-history.ts";
import { NetworkHarness } from "./testing/network-harness.ts";
import { aClaim, aCluster, aPool, namespace } from "./testing/objects.ts";
import { Replica } from "./testing/replica.ts";

const poolKey = { name: "underlay", namespace };
const claimCount = shortOrLong(125, 500);
/** Number of claims that get addresses; one in five remains pending. */
const room = (claimCount * 4) / 5;
const queued = claimCount - room;
const addresses = 4 * room;
const lastAddress = `10.60.${Math.floor((addresses - 1) / 256)}.${(addresses - 1) % 256}`;
const ranges = [{ start: "10.60.0.0", end: lastAddress }];
const faults = {
  conflict: 0.03,
  lostAnswer: 0.02,
  // Fewer claims mean fewer writes, so the share of faults is higher.
  crashBeforeWrite: shortOrLong(0.02, 0.005),
  crashAfterWrite: shortOrLong(0.02, 0.005),
  lateEvent: 0.02,
};

const nameOf = (at: number): string => `claim-${String(at).padStart(3, "0")}`;
const names = Array.from({ length: claimCount }, (_none, at) => nameOf(at));

let harness: NetworkHarness;
const seed = chooseSeed();
const random = seededRandom(seed);
const replicas: Replica[] = [];
const history = new AddressHistory();

beforeAll(async () => {
  harness = await NetworkHarness.start();
  await harness.create(TenantCluster, aCluster());
  const spec = { cidr: "10.60.0.0/16", quarantine: "3s", tenantAllocation: { ranges } };
  await harness.create(NetworkPool, aPool({ spec }));
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await harness?.stop();
});

async function atOnce<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: 20 }, work));
}

/** Names of the claims by result. */
async function look() {
  const { items } = await harness.client.list(IPAllocation, { namespace });
  const live = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const served = live.filter(({ status }) => status?.phase === "Allocated").map(({ metadata }) => metadata.name);
  const refused = live.filter(
    ({ status }) =>
      status?.phase === "Pending" && findCondition(status.conditions, "Ready")?.reason === "PoolExhausted",
  );
  return { all: live.length, served, refused: refused.map(({ metadata }) => metadata.name) };
}

async function settled(count: { served: number; refused: number }, what: string) {
  let last: Awaited<ReturnType<typeof look>> | undefined;
  return eventually(
    async () => {
      last = await look();
      if (history.faults.length > 0) return last;
      return last.served.length === count.served && last.refused.length === count.refused && last;
    },
    {
      timeoutMs: 240_000,
      intervalMs: 250,
      what: () => `${what} (seed ${seed}): ${last?.served.length} served, ${last?.refused.length} refused why not`,
    },
  );
}

function pick(from: readonly string[], count: number): string[] {
  return [...from]
    .map((name) => ({ name, at: random() }))
    .sort((left, right) => left.at - right.at)
    .slice(0, count)
    .map(({ name }) => name);
}

it(
  `${claimCount} concurrent claims on a pool for ${room}, with two crashing processes: no address is allocated twice (BUTLER_TEST_SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    await history.start(harness.client);
    replicas.push(...[1, 2].map(() => new Replica(harness, { random, faults })));
    for (const replica of replicas) replica.start();

    await atOnce(names, (name) => harness.client.create(IPAllocation, bare(name)));
    // Some claims are deleted during allocation and recreated under the same name.
    await atOnce(pick(names, claimCount / 25), async (name) => {
      await harness.client.delete(IPAllocation, { name, namespace });
      await harness.gone(IPAllocation, { name, namespace }, 240_000);
      await harness.client.create(IPAllocation, bare(name));
    });
    const first = await settled({ served: room, refused: queued }, `the first ${room}`);
    expect(history.faults).toEqual([]);
    expect(first.all).toBe(claimCount);

    await atOnce(pick(first.served, queued), (name) => harness.client.delete(IPAllocation, { name, namespace }));
    const second = await settled({ served: room, refused: 0 }, "those who waited");
    expect(history.faults).toEqual([]);
    expect(second.all).toBe(room);
    expect(first.refused.filter((name) => !second.served.includes(name))).toEqual([]);

    const counted = await eventually(
      async () => {
        const { status } = await harness.client.get(NetworkPool, poolKey);
        return status?.grants === undefined && status?.allocationCount === room && status;
      },
      { what: "a pool that is counted" },
    );
    expect(counted).toMatchObject({ totalIPs: addresses, allocatedIPs: addresses, availableIPs: 0, used: "100%" });
    const isCaughtUp = (): boolean => history.faults.length > 0 || history.inUse === addresses;
    await eventually(isCaughtUp, { what: "a history of all addresses" });
    await history.stop();
    expect(history.faults).toEqual([]);
    const crashes = replicas.map((replica) => replica.crashes);
    console.log(`seed ${seed}: ${history.versions} versions of claims, ${crashes.join(" and ")} crashes`);
    expect(Math.min(...crashes)).toBeGreaterThan(0);
  },
);

function bare(name: string): IPAllocation {
  const claim = aClaim({ name });
  return { ...claim, metadata: { name, namespace } };
}
