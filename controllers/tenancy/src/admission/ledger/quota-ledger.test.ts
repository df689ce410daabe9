import { judgeQuota, noUsage } from "@butler/access";
import type { KubeClient } from "@butler/kube";
import type { DynamicObject } from "@butler/resource";
import { Conflict, systemClock, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { readLedger } from "./entries.ts";
import { type LedgerRequest, QuotaLedger } from "./quota-ledger.ts";

/** One versioned object, as the API server stores it, and a count of the requests. */
class OneObject {
  object: DynamicObject | undefined;
  reads = 0;
  writes = 0;
  failure: Error | undefined;

  readonly client = {
    find: async () => {
      this.reads += 1;
      await Promise.resolve();
      if (this.failure !== undefined) throw this.failure;
      return this.object;
    },
    create: (_kind: unknown, object: DynamicObject) => this.#store(object),
    replace: (_kind: unknown, object: DynamicObject) => this.#store(object),
  } as unknown as Pick<KubeClient, "find" | "create" | "replace">;

  async #store(object: DynamicObject): Promise<DynamicObject> {
    await Promise.resolve();
    const { resourceVersion } = object.metadata;
    if (resourceVersion !== this.object?.metadata.resourceVersion) throw new Conflict("another writer was faster");
    this.writes += 1;
    this.object = { ...object, metadata: { ...object.metadata, resourceVersion: `${this.writes}` } };
    return this.object;
  }
}

const wish = (name: string, more: Partial<LedgerRequest> = {}): LedgerRequest => {
  const after = { usage: { ...noUsage, clusters: 1 } };
  return {
    account: "payments",
    key: `payments.${name}`,
    after,
    uid: name,
    resourceVersion: undefined,
    dryRun: false,
    readClusters: () => Promise.resolve([]),
    storedIn: () => new Map(),
    judge: (others) => judgeQuota({ team: "payments", limits: { clusters: 3 }, others, after }),
    signal: new AbortController().signal,
    ...more,
  };
};
const ledgerOn = ({ client }: OneObject): QuotaLedger =>
  new QuotaLedger({ client, clock: systemClock, namespace: "butler-system" });
const reservedIn = ({ object }: OneObject): number => readLedger(object?.["data"]).size;

describe("a ledger", () => {
  it("never reserves more than the limit, for any number of concurrent requests and processes", async () => {
    const store = new OneObject();
    const [one, two, three] = [ledgerOn(store), ledgerOn(store), ledgerOn(store)];
    const turn = (at: number): QuotaLedger => (at % 3 === 0 ? one : at % 3 === 1 ? two : three);
    const verdicts = await Promise.all(Array.from({ length: 60 }, (_, at) => turn(at).claim(wish(`wish-${at}`))));
    expect(verdicts.filter((refusals) => refusals.length === 0)).toHaveLength(3);
    expect(reservedIn(store)).toBe(3);
  });

  it("needs few requests for a burst", async () => {
    const store = new OneObject();
    const ledger = ledgerOn(store);
    await Promise.all(Array.from({ length: 100 }, (_, at) => ledger.claim(wish(`wish-${at}`))));
    expect(store.reads).toBeLessThanOrEqual(2);
    expect(store.writes).toBeLessThanOrEqual(2);
  });

  it("writes nothing for dry runs and denials", async () => {
    const store = new OneObject();
    const ledger = ledgerOn(store);
    expect(await ledger.claim(wish("a", { dryRun: true }))).toEqual([]);
    const refusal = judgeQuota({ team: "t", limits: { clusters: 0 }, others: [], after: wish("b").after });
    expect(await ledger.claim(wish("b", { judge: () => refusal }))).toEqual(refusal);
    expect(store.writes).toBe(0);
  });

  it("rejects all pending requests when it cannot be read, and serves later ones", async () => {
    const store = new OneObject();
    const ledger = ledgerOn(store);
    store.failure = new Unavailable("the API server is away");
    const failed = await Promise.allSettled([ledger.claim(wish("a")), ledger.claim(wish("b"))]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    store.failure = undefined;
    expect(await ledger.claim(wish("c"))).toEqual([]);
  });

  it("rejects only the request whose validation fails", async () => {
    const ledger = ledgerOn(new OneObject());
    const judge = () => {
      throw new Error("broken");
    };
    const results = await Promise.allSettled([ledger.claim(wish("a", { judge })), ledger.claim(wish("b"))]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("reserves nothing for an aborted request", async () => {
    const store = new OneObject();
    const ledger = ledgerOn(store);
    await expect(ledger.claim(wish("a", { signal: AbortSignal.abort(new Error("gone")) }))).rejects.toThrow("gone");
    expect(store.writes).toBe(0);
    expect(await ledger.claim(wish("b"))).toEqual([]);
  });

  it("releases the reservation of a stored creation, but not of a change", async () => {
    const store = new OneObject();
    const ledger = ledgerOn(store);
    await ledger.claim(wish("new"));
    await ledger.claim(
      wish("grown", {
        resourceVersion: "7",
        storedIn: () => new Map([["payments.grown", { claim: wish("").after, uid: "grown", resourceVersion: "7" }]]),
      }),
    );
    const forget = (name: string, uid = name) => ledger.forget({ account: "payments", key: `payments.${name}`, uid });
    await forget("new", "another");
    await forget("grown");
    expect(reservedIn(store)).toBe(2);
    await forget("new");
    expect([...readLedger(store.object?.["data"]).keys()]).toEqual(["payments.grown"]);
  });
});
