import { Team, User } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { Forbidden } from "@butler/std";
import { eventually, FakeClock, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aTeam, aUser } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { userController } from "./controller.ts";

const ada = { name: "ada" };

let cluster: TestCluster;
let harness: TenancyHarness;

async function run({ client = cluster.client, clock }: { client?: ApiClient; clock?: FakeClock } = {}) {
  const running = await runController(client, userController, { ports: {}, ...(clock === undefined ? {} : { clock }) });
  harness.later(() => running.stop());
  return running;
}

/** Waits until Ada has the given teams. */
function teamsAre(expected: readonly string[]): Promise<User> {
  return eventually(
    async () => {
      const user = await cluster.client.get(User, ada);
      const found = user.status?.teams?.map(({ name, role }) => `${name} ${role}`);
      return found?.join() === expected.join() && user;
    },
    { timeoutMs: 10_000, what: `the teams ${expected.join()}` },
  );
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [Team, User] });
  harness = new TenancyHarness(cluster, [Team, User]);
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

describe("the teams of a user", () => {
  it("follow the teams and the groups of the last sign-in, and keep the fields of other writers", async () => {
    const users = [{ name: "ADA@example.com", role: "member" }];
    await harness.create(User, aUser());
    await harness.create(Team, aTeam({ spec: { access: { users } } }));
    await harness.create(
      Team,
      aTeam({ name: "search", spec: { access: { groups: [{ name: "developers", role: "admin" }] } } }),
    );
    await run();
    await teamsAre(["payments operator"]);
    await cluster.client.apply(
      User,
      { apiVersion: User.apiVersion, kind: "User", metadata: ada, status: { lastSeenGroups: ["Developers"] } } as never,
      { fieldManager: "server", subresource: "status" },
    );
    await teamsAre(["payments operator", "search admin"]);
    await harness.merge(Team, { name: "payments" }, { spec: { access: { users: [] } } });
    await teamsAre(["search admin"]);
    await cluster.client.delete(Team, { name: "search" });
    const { status } = await teamsAre([]);
    expect(status).toMatchObject({ lastSeenGroups: ["Developers"], phase: "Active", teams: [] });
  });

  it("cause no write while they are unchanged, however teams change", async () => {
    const users = [{ name: "ada@example.com" }];
    await harness.create(User, aUser());
    await harness.create(Team, aTeam({ spec: { access: { users } } }));
    const { written, runtime } = await run();
    await teamsAre(["payments viewer"]);
    await eventually(() => runtime.isIdle, { what: "rest" });
    const before = written.length;
    for (const displayName of ["Payments", "Money", "Coins"]) {
      await harness.merge(Team, { name: "payments" }, { spec: { displayName } });
      await eventually(async () => (await runtime.preview(ada))?.isSettled === true && runtime.isIdle);
    }
    expect(written.slice(before)).toEqual([]);
  });
});

it("a lock expires automatically", async () => {
  const clock = new FakeClock();
  const lockedUntil = new Date(clock.now().getTime() + 600_000).toISOString();
  await harness.create(User, aUser());
  await harness.mergeStatus(User, ada, { lockedUntil });
  const { runtime } = await run({ clock });
  await harness.ready(User, ada, "Locked");
  await eventually(() => runtime.isIdle && runtime.delayed === 1, { what: "idle until the lock expires" });
  clock.advance(601_000);
  expect((await harness.ready(User, ada, "Active")).status?.phase).toBe("Active");
});

it("the controller's permissions are enough for its work, and no more", async () => {
  const limited = await harness.asController(userController);
  await harness.create(User, aUser());
  await run({ client: limited });
  await harness.ready(User, ada, "Active");
  await expect(limited.delete(User, ada)).rejects.toBeInstanceOf(Forbidden);
});
