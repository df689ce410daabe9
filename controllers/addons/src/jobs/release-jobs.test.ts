import { FakeClock, eventually } from "@butler/testkit";
import { Unavailable } from "@butler/std";
import { beforeEach, describe, expect, it } from "vitest";
import type { JobShare } from "./next-job.ts";
import { type JobCall, type JobRequest, ReleaseJobs } from "./release-jobs.ts";

interface Controlled {
  readonly request: JobRequest;
  call: JobCall | undefined;
  finish: () => void;
  fail: (error: Error) => void;
}

/** The share of a cluster without a team of its own. */
const inCluster = (group: string): JobShare => ({ team: group, group, isReserved: false });

/** A job that the test completes; it reacts to its signal, as Helm does. */
function aJob(key: string, traits: Partial<JobRequest> = {}): Controlled {
  const work = Promise.withResolvers<void>();
  const controlled: Controlled = {
    call: undefined,
    finish: () => work.resolve(),
    fail: (error) => work.reject(error),
    request: {
      key,
      share: inCluster("shop"),
      action: "install",
      fingerprint: "one",
      startedAt: `start of ${key}`,
      limitMs: 60_000,
      run: async (call) => {
        controlled.call = call;
        call.signal.addEventListener("abort", () => work.reject(call.signal.reason as Error));
        await work.promise;
      },
      ...traits,
    },
  };
  return controlled;
}

let clock: FakeClock;
let changed: string[];
let jobs: ReleaseJobs;
let counts: string[];

beforeEach(() => {
  clock = new FakeClock();
  changed = [];
  counts = [];
  jobs = new ReleaseJobs({
    places: { working: 2, running: 3 },
    clock,
    onChange: (key) => changed.push(key),
    onCount: ({ running, waiting }) => counts.push(`${running} ${waiting}`),
  });
});

const stateOf = (key: string): string | undefined => jobs.of(key)?.state;
const isIn = (key: string, state: string) => eventually(() => stateOf(key) === state, { what: `${key} ${state}` });

describe("ReleaseJobs", () => {
  it("runs up to the limit at once, and the next when one has ended", async () => {
    const all = ["a", "b", "c"].map((key) => aJob(key));
    for (const { request } of all) jobs.start(request);
    expect(["a", "b", "c"].map(stateOf)).toEqual(["running", "running", "waiting"]);
    all[0]?.finish();
    await isIn("a", "succeeded");
    expect(stateOf("c")).toBe("running");
    expect(counts.at(-1)).toBe("2 0");
    expect(changed).toContain("a");
  });

  it("starts more jobs when one waits for long, up to the total limit", async () => {
    const all = ["a", "b", "c", "d"].map((key) => aJob(key));
    for (const { request } of all) jobs.start(request);
    clock.advance(9_999);
    expect(["a", "b", "c", "d"].map(stateOf)).toEqual(["running", "running", "waiting", "waiting"]);
    clock.advance(1);
    expect(["a", "b", "c", "d"].map(stateOf)).toEqual(["running", "running", "running", "waiting"]);
    clock.advance(10_000);
    expect(stateOf("d")).toBe("waiting");
    all[0]?.finish();
    await isIn("a", "succeeded");
    expect(stateOf("d")).toBe("running");
  });

  it("serves another cluster before one is served twice", async () => {
    const busy = ["a", "b", "c"].map((key) => aJob(key));
    for (const { request } of busy) jobs.start(request);
    jobs.start(aJob("other", { share: inCluster("blog") }).request);
    busy[0]?.finish();
    await isIn("a", "succeeded");
    expect([stateOf("c"), stateOf("other")]).toEqual(["waiting", "running"]);
  });

  it("ignores duplicate requests, and runs one job per object", () => {
    const first = aJob("a");
    jobs.start(first.request);
    jobs.start(first.request);
    jobs.start(aJob("a", { startedAt: "later", fingerprint: "two" }).request);
    expect(jobs.of("a")).toMatchObject({ fingerprint: "one", state: "running" });
    expect(counts).toEqual(["1 0"]);
  });

  it("does not repeat a job that has ended", async () => {
    const job = aJob("a");
    jobs.start(job.request);
    job.finish();
    await isIn("a", "succeeded");
    jobs.start(job.request);
    expect(stateOf("a")).toBe("succeeded");
  });

  it("cancels running and queued jobs", async () => {
    for (const key of ["a", "b", "c"]) jobs.start(aJob(key).request);
    jobs.cancel("c");
    expect(stateOf("c")).toBe("cancelled");
    jobs.cancel("a");
    expect(jobs.of("a")).toMatchObject({ state: "running", isStopping: true });
    await isIn("a", "cancelled");
    expect(jobs.of("a")?.reason).toBeUndefined();
  });

  it("cancels a job that exceeds its limit", async () => {
    jobs.start(aJob("a").request);
    clock.advance(60_000);
    await isIn("a", "failed");
    expect(jobs.of("a")).toMatchObject({ reason: "TimedOut" });
  });

  it("reports why a job failed, with the remedy", async () => {
    const job = aJob("a");
    jobs.start(job.request);
    job.fail(Object.assign(new Unavailable("no such chart", { hint: "Look again." }), { reason: "ChartNotFound" }));
    await isIn("a", "failed");
    expect(jobs.of("a")).toMatchObject({ reason: "ChartNotFound", message: "no such chart (Look again.)" });
  });

  it("keeps the last lines and the version", () => {
    const job = aJob("a");
    jobs.start(job.request);
    for (let line = 1; line <= 25; line++) job.call?.onLine(`line ${line}`);
    job.call?.onVersion("1.2.3");
    const { lines, version } = jobs.of("a") ?? {};
    expect([lines?.length, lines?.at(-1), version]).toEqual([20, "line 25", "1.2.3"]);
  });

  it("cancels everything on close, and accepts no more jobs", async () => {
    const all = ["a", "b", "c"].map((key) => aJob(key));
    for (const { request } of all) jobs.start(request);
    await jobs.close();
    expect(["a", "b", "c"].map(stateOf)).toEqual(["cancelled", "cancelled", "cancelled"]);
    jobs.start(aJob("d").request);
    expect(stateOf("d")).toBeUndefined();
  });

  it("forgets a deleted object once its job has ended", async () => {
    jobs.start(aJob("a").request);
    jobs.forget("a");
    await eventually(() => stateOf("a") === undefined, { what: "forgetting" });
  });
});

describe("ReleaseJobs under attack", () => {
  const usual = { working: 4, running: 6, reserved: 2, perTeam: 2 };
  const of = (team: string, key: string, isReserved = false) =>
    aJob(key, { share: { team, group: `${team}/${key}`, isReserved }, limitMs: 90_000_000 });
  let waits: number[];

  beforeEach(() => {
    waits = [];
    const onStart = (_share: JobShare, waitedMs: number): void => void waits.push(waitedMs);
    jobs = new ReleaseJobs({ places: usual, clock, onChange: () => undefined, onStart });
  });

  it("hole 5: runs the jobs of other teams while those of one team hang", () => {
    for (const key of ["h1", "h2", "h3", "h4", "h5", "h6"]) jobs.start(of("hostile", key).request);
    // They use no CPU, but keep their places.
    clock.advance(60_000);
    expect(["h1", "h2", "h3"].map(stateOf)).toEqual(["running", "running", "waiting"]);
    jobs.start(of("blue", "b1").request);
    expect(stateOf("b1")).toBe("running");
    jobs.start(of("hostile", "network", true).request);
    jobs.start(of("green", "network of green", true).request);
    expect([stateOf("network"), stateOf("network of green")]).toEqual(["running", "running"]);
  });

  it("hole 5: tells what a job waits for", () => {
    for (const key of ["h1", "h2", "h3", "h4"]) jobs.start(of("hostile", key).request);
    const full = { of: "team", running: 2, most: 2 };
    expect(jobs.of("h4")?.queue).toEqual({ team: "hostile", position: 2, waiting: 2, full });
    jobs.start(of("blue", "b1").request);
    jobs.start(of("blue", "b2").request);
    jobs.start(of("green", "g1").request);
    expect(jobs.of("g1")?.queue).toMatchObject({ position: 1, full: { of: "everyone", running: 4, most: 4 } });
    expect(jobs.of("h1")?.queue).toBeUndefined();
  });

  it("measures how long a job waited", () => {
    for (const key of ["h1", "h2", "h3"]) jobs.start(of("hostile", key).request);
    clock.advance(5_000);
    jobs.cancel("h3");
    jobs.start(of("blue", "b1").request);
    expect(waits).toEqual([0, 0, 0]);
  });

  it("hole 5: cancels a running job at once when its object is deleted, and starts the next of its team", async () => {
    for (const key of ["h1", "h2", "h3"]) jobs.start(of("hostile", key).request);
    clock.advance(5_000);
    jobs.forget("h1");
    await eventually(() => stateOf("h3") === "running", { what: "the next job" });
    expect(waits).toEqual([0, 0, 5_000]);
  });
});
