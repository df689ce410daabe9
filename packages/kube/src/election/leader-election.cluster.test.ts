import { builtinKinds } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LeaderElection } from "./leader-election.ts";
import type { LeaseClient } from "./lease-contender.ts";
import { readLeaseRecord } from "./lease-decision.ts";

const leaseDurationMs = 3_000;
const renewDeadlineMs = 2_000;
const retryPeriodMs = 300;
const namespace = "default";

interface Term {
  readonly who: string;
  readonly fromMs: number;
  untilMs: number;
}

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ mine: { name: "kube-leader-election" } });
});

afterAll(() => cluster.stop());

/** A client whose connection can be cut: after that, no call gets a response, and none reacts to its signal. */
function cuttable(client: LeaseClient) {
  const line = { isCut: false };
  const hang = <A extends unknown[], R>(call: (...of: A) => Promise<R>) => {
    return (...of: A): Promise<R> => (line.isCut ? new Promise<R>(() => undefined) : call(...of));
  };
  const cut = {
    find: hang(client.find.bind(client)),
    create: hang(client.create.bind(client)),
    replace: hang(client.replace.bind(client)),
  };
  return { line, client: cut };
}

function candidate(identity: string, name: string, terms: Term[]) {
  const { line, client } = cuttable(cluster.connect({ userAgent: identity }).client);
  const times = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  const election = new LeaderElection({ client, namespace, name, identity, ...times });
  const stop = new AbortController();
  const ended = election.run(stop.signal, async (signal) => {
    const term = { who: identity, fromMs: performance.now(), untilMs: Number.POSITIVE_INFINITY };
    terms.push(term);
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    term.untilMs = performance.now();
  });
  return { identity, election, line, stop: () => stop.abort(), ended };
}

function overlaps(terms: readonly Term[]): Term[][] {
  return terms.flatMap((one, at) =>
    terms
      .slice(at + 1)
      .flatMap((other) => (one.fromMs < other.untilMs && other.fromMs < one.untilMs ? [[one, other]] : [])),
  );
}

const recordOf = async (name: string) =>
  readLeaseRecord(await cluster.client.get(builtinKinds.Lease, { name, namespace }));

describe("LeaderElection with an API server", () => {
  it("has one leader at a time while leaders are disconnected in turn", async () => {
    const terms: Term[] = [];
    const candidates = ["a", "b", "c"].map((identity) => candidate(identity, "cut-off", terms));
    const leader = () => candidates.find(({ election }) => election.isLeader);
    let previous = await eventually(leader);
    for (let round = 0; round < 3; round++) {
      const cutAtMs = performance.now();
      previous.line.isCut = true;
      const next = await eventually(() => candidates.find((other) => other !== previous && other.election.isLeader));
      expect(performance.now() - cutAtMs).toBeLessThan(2 * leaseDurationMs);
      previous.line.isCut = false;
      previous = next;
    }
    const changes = terms.filter(({ who }, at) => at > 0 && who !== terms[at - 1]?.who);
    expect(changes.length).toBeGreaterThanOrEqual(3);
    expect((await recordOf("cut-off")).leaseTransitions).toBe(changes.length);
    for (const { stop } of candidates) stop();
    await Promise.all(candidates.map(({ ended }) => ended));
    expect(overlaps(terms)).toEqual([]);
    expect((await recordOf("cut-off")).holderIdentity).toBe("");
  });

  it("hands over quickly when the leader is stopped", async () => {
    const terms: Term[] = [];
    const candidates = ["a", "b", "c"].map((identity) => candidate(identity, "handed-over", terms));
    const waiting = new Set(candidates);
    while (waiting.size > 0) {
      const leader = await eventually(() => [...waiting].find(({ election }) => election.isLeader));
      waiting.delete(leader);
      leader.stop();
      await leader.ended;
    }
    expect(terms.map(({ who }) => who).sort()).toEqual(["a", "b", "c"]);
    expect(overlaps(terms)).toEqual([]);
    for (const [at, { fromMs }] of terms.entries()) {
      if (at > 0) expect(fromMs - (terms[at - 1]?.untilMs ?? 0)).toBeLessThan(renewDeadlineMs);
    }
  });

  it("stops leading while the API server is unavailable and elects a leader when it recovers", async () => {
    const terms: Term[] = [];
    const candidates = ["a", "b"].map((identity) => candidate(identity, "outage", terms));
    await eventually(() => candidates.some(({ election }) => election.isLeader));
    await cluster.controlPlane.stopApiServer({ signal: "SIGKILL" });
    await eventually(() => terms[0]?.untilMs !== Number.POSITIVE_INFINITY);
    expect(candidates.some(({ election }) => election.isLeader)).toBe(false);
    await cluster.controlPlane.startApiServer();
    await eventually(() => candidates.some(({ election }) => election.isLeader));
    for (const { stop } of candidates) stop();
    await Promise.all(candidates.map(({ ended }) => ended));
    expect(overlaps(terms)).toEqual([]);
  });

  it("steps down when its lease is deleted or given to another", async () => {
    const terms: Term[] = [];
    const only = candidate("a", "robbed", terms);
    await eventually(() => only.election.isLeader);
    await cluster.client.delete(builtinKinds.Lease, { name: "robbed", namespace });
    await eventually(() => terms.length === 2);
    await cluster.client.patch(
      builtinKinds.Lease,
      { name: "robbed", namespace },
      { type: "merge", patch: { spec: { holderIdentity: "thief", leaseDurationSeconds: 1 } } },
    );
    await eventually(() => terms.length === 3);
    only.stop();
    await only.ended;
    expect(overlaps(terms)).toEqual([]);
    expect((await recordOf("robbed")).leaseTransitions).toBe(1);
  });
});
