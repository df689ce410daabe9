import { Team, User } from "@butler/api";
import { SingletonRuntime } from "@butler/controller";
import { type ApiClient, CacheSet } from "@butler/kube";
import { builtinKinds, type Kind, type KubeObject, rbacGroup } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { eventually, runControllers, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aTeam, aUser } from "../shared/testing/objects.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { peopleRoleName } from "./names.ts";
import { namesIn, planPeople } from "./plan.ts";
import { impersonationSingleton } from "./singleton.ts";

const { ClusterRole, ClusterRoleBinding } = builtinKinds;
const apiVersion = `${rbacGroup}/v1`;
const key = { name: peopleRoleName };
const serverAccount = "system:serviceaccount:butler-system:butler-server";
const selfSubjectReview: Kind = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "SelfSubjectReview",
  plural: "selfsubjectreviews",
  scope: "Cluster",
};

let cluster: TestCluster;
let harness: TenancyHarness;
let limited: ApiClient;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [Team, User] });
  harness = new TenancyHarness(cluster, [User, Team]);
  limited = await harness.asController(impersonationSingleton);
  await bind("server-people", peopleRoleName);
  // As the chart grants.
  const groups = ["system:authenticated", "butler:users"];
  const rules = [{ apiGroups: [""], resources: ["groups"], verbs: ["impersonate"], resourceNames: groups }];
  const fixed = { apiVersion, kind: "ClusterRole", metadata: { name: "fixed" }, rules };
  await cluster.client.create(ClusterRole, fixed);
  await bind("server-fixed", "fixed");
});
afterEach(async () => {
  await stopSync();
  for (const kind of [User, Team]) {
    for (const { metadata } of (await cluster.client.list(kind)).items) await harness.tidyAway(kind, metadata);
  }
  await harness.tidyAway(ClusterRole, key);
});
afterAll(async () => {
  await harness?.tidy();
  await cluster?.stop();
});

async function bind(name: string, role: string): Promise<void> {
  const roleRef = { apiGroup: rbacGroup, kind: "ClusterRole", name: role };
  const subjects = [{ apiGroup: rbacGroup, kind: "User", name: serverAccount }];
  const object = { apiVersion, kind: "ClusterRoleBinding", metadata: { name }, roleRef, subjects };
  await cluster.client.create(ClusterRoleBinding, object);
}

let stopSync: () => Promise<void> = () => Promise.resolve();

/** Runs the sync with only its declared permissions, and counts its writes. */
async function run() {
  const caches = new CacheSet(limited);
  const counted = { writes: 0 };
  const sync = new SingletonRuntime(impersonationSingleton, {
    ports: { client: limited },
    caches,
    intercept: (_effect, write) => {
      counted.writes += 1;
      return write();
    },
  });
  const { stop } = await runControllers(caches, [sync]);
  stopSync = async () => {
    stopSync = () => Promise.resolve();
    await stop();
  };
  return { sync, counted };
}

const addPerson = (name: string, spec: object = {}): Promise<void> =>
  harness.create(User, aUser({ name, spec: { email: `${name}@example.com`, ...spec } }));

async function names(): Promise<Record<string, string[]>> {
  const role = await cluster.client.find(ClusterRole, key);
  const rules = (role?.["rules"] ?? []) as { resources: string[]; resourceNames?: string[] }[];
  return Object.fromEntries(rules.map(({ resources, resourceNames = [] }) => [resources.join(), resourceNames]));
}

const untilPeopleAre = (...people: string[]) =>
  eventually(async () => ((await names())["users"] ?? []).join() === people.map((who) => `${who}@example.com`).join(), {
    what: () => `just ${people.join()}`,
  });

/** The username that Kubernetes sees when the server impersonates a user; undefined when it may not. */
async function actingAs(user: string, groups: readonly string[] = []): Promise<string | undefined> {
  const server = (await harness.as(serverAccount)).as({ user, groups });
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview", metadata: {} };
  try {
    const { status } = await server.create(selfSubjectReview, review as KubeObject);
    return (status as { userInfo: { username: string } }).userInfo.username;
  } catch (error) {
    if (error instanceof Forbidden) return undefined;
    throw error;
  }
}

describe("the impersonation role", () => {
  it("allows impersonating users and groups of teams only", async () => {
    await addPerson("ada");
    await addPerson("eve", { disabled: true });
    await harness.create(Team, aTeam({ name: "web" }));
    await run();
    await untilPeopleAre("ada");
    const asAda = () => actingAs("ada@example.com", ["system:authenticated", "butler:users", "butler:team:web:admin"]);
    await eventually(async () => (await asAda()) === "ada@example.com", { what: "the role in force" });
    for (const stranger of ["eve@example.com", "bob@example.com", "system:admin", "Ada@example.com"]) {
      expect(await actingAs(stranger)).toBeUndefined();
    }
    for (const group of ["system:masters", "butler:team:other:admin", "butler:platform:admin", "developers"]) {
      expect(await actingAs("ada@example.com", [group])).toBeUndefined();
    }
  });

  it("removes disabled users, and has no rules when no user is left", async () => {
    await addPerson("ada");
    await addPerson("bob");
    await run();
    await untilPeopleAre("ada", "bob");
    await eventually(async () => (await actingAs("bob@example.com")) !== undefined);
    await harness.merge(User, { name: "bob" }, { spec: { disabled: true } });
    await eventually(async () => (await actingAs("bob@example.com")) === undefined, { what: "the end of Bob" });
    await cluster.client.delete(User, { name: "ada" });
    await eventually(async () => (await actingAs("ada@example.com")) === undefined, { what: "the end of Ada" });
    expect((await cluster.client.get(ClusterRole, key))["rules"] ?? []).toEqual([]);
    expect(await actingAs("anybody@example.com")).toBeUndefined();
  });

  it("is reconciled when others change or delete it", async () => {
    await addPerson("ada");
    await run();
    await untilPeopleAre("ada");
    const everybody = { rules: [{ apiGroups: [""], resources: ["users"], verbs: ["impersonate"] }] };
    await harness.merge(ClusterRole, key, everybody);
    await untilPeopleAre("ada");
    await cluster.client.delete(ClusterRole, key);
    await untilPeopleAre("ada");
  });

  it("needs few writes for many users, and none for irrelevant changes", { timeout: 180_000 }, async () => {
    const { sync, counted } = await run();
    await eventually(() => sync.isIdle, { what: "an idle sync" });
    const before = counted.writes;
    const many = Array.from({ length: 500 }, (_, at) => `person-${String(at).padStart(3, "0")}`);
    const startedAt = performance.now();
    for (let at = 0; at < many.length; at += 25)
      await Promise.all(many.slice(at, at + 25).map((name) => addPerson(name)));
    await untilPeopleAre(...many);
    const seconds = (performance.now() - startedAt) / 1_000;
    // One every half second, plus one before and after.
    expect(counted.writes - before).toBeLessThanOrEqual(2 * seconds + 2);
    expect(counted.writes - before).toBeLessThan(100);
    await eventually(() => sync.isIdle, { what: "an idle sync" });
    const atRest = counted.writes;
    await harness.mergeStatus(User, { name: "person-000" }, { phase: "Active" });
    await addPerson("zoe");
    await untilPeopleAre(...many, "zoe");
    expect(counted.writes).toBe(atRest + 1);
  });
});

describe("the size of the role", () => {
  it("allows the maximum number of names", async () => {
    const user = aUser();
    const users = Array.from({ length: 40_000 }, (_, at) => ({
      ...user,
      spec: { ...user.spec, email: `somebody.with-a-name.${at}@example.com` },
    }));
    const { role, leftOut } = planPeople({ users, teams: [] });
    expect(leftOut).toBeGreaterThan(0);
    expect(namesIn(role)).toBeGreaterThan(20_000);
    await limited.apply(ClusterRole, role, { fieldManager: "butler-impersonation" });
    expect((await names())["users"]).toHaveLength(namesIn(role));
    await eventually(async () => (await actingAs("somebody.with-a-name.0@example.com")) !== undefined);
  });
});

describe("the permissions of the impersonation sync", () => {
  it("are limited to the one role", async () => {
    const rules = [
      { apiGroups: [""], resources: ["groups"], verbs: ["impersonate"], resourceNames: ["system:masters"] },
    ];
    const role = { apiVersion, kind: "ClusterRole", metadata: { name: "another" }, rules };
    await expect(limited.create(ClusterRole, role)).rejects.toBeInstanceOf(Forbidden);
    await expect(limited.apply(ClusterRole, role, { fieldManager: "x" })).rejects.toBeInstanceOf(Forbidden);
    await expect(limited.get(ClusterRole, { name: "cluster-admin" })).rejects.toBeInstanceOf(Forbidden);
    await expect(limited.list(ClusterRole)).rejects.toBeInstanceOf(Forbidden);
    await expect(limited.delete(ClusterRole, key)).rejects.toBeInstanceOf(Forbidden);
    const roleRef = { apiGroup: rbacGroup, kind: "ClusterRole", name: peopleRoleName };
    const subjects = [{ apiGroup: rbacGroup, kind: "User", name: "impersonation" }];
    const binding = { apiVersion, kind: "ClusterRoleBinding", metadata: { name: "mine" }, roleRef, subjects };
    await expect(limited.create(ClusterRoleBinding, binding)).rejects.toBeInstanceOf(Forbidden);
  });
});
