import { builtinKinds } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { electedRole } from "./elected-role.ts";
import type { Role } from "./role.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster();
});
afterAll(() => cluster?.stop());

const times = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 100 };

/** A role that records whether it is running, and ends on request. */
function aRole(work: () => Promise<void> = () => new Promise(() => undefined)) {
  let works = false;
  const role: Role = {
    run: async (signal) => {
      works = true;
      const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      await Promise.race([work(), aborted]);
      works = false;
    },
    isReady: () => works,
  };
  return { role, works: () => works };
}

function start(name: string, role: Role) {
  const stopping = new AbortController();
  const { client } = cluster.connect({ userAgent: "butler-test" });
  const elected = electedRole(role, { client, namespace: "default", name, ...times });
  return { ended: elected.run(stopping.signal), isReady: elected.isReady, stop: () => stopping.abort() };
}

describe("electedRole", () => {
  it("runs one of two while both are ready, and fails over to the other", async () => {
    const [first, second] = [aRole(), aRole()];
    const leader = start("take-turns", first.role);
    await eventually(first.works);
    const waiting = start("take-turns", second.role);
    await eventually(waiting.isReady);
    expect([first.works(), second.works(), leader.isReady()]).toEqual([true, false, true]);
    leader.stop();
    await leader.ended;
    await eventually(second.works);
    waiting.stop();
    await waiting.ended;
  });

  it("is not ready before the cluster has responded", () => {
    const { client } = cluster.connect({ userAgent: "butler-test" });
    const { isReady } = electedRole(aRole().role, { client, namespace: "default", name: "unheard", ...times });
    expect(isReady()).toBe(false);
  });

  it("exits the process when it loses leadership", async () => {
    const { role, works } = aRole();
    const { ended } = start("lose", role);
    ended.catch(() => undefined);
    await eventually(works);
    await cluster.client.patch(
      builtinKinds.Lease,
      { namespace: "default", name: "lose" },
      {
        type: "merge",
        patch: {
          spec: { holderIdentity: "another-process", renewTime: new Date().toISOString().replace("Z", "000Z") },
        },
      },
    );
    await expect(ended).rejects.toMatchObject({ code: "LEADERSHIP_LOST" });
    expect(works()).toBe(false);
  });

  it("fails when the role fails", async () => {
    const { role } = aRole(() => Promise.reject(new Error("out of ideas")));
    await expect(start("fail", role).ended).rejects.toThrow("out of ideas");
  });
});
