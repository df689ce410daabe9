import { Team, User } from "@butler/api";
import { type Interceptor, SingletonRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import {
  crashAfterEverySideEffect,
  runControllers,
  startAfterChange,
  aTestCluster,
  type TestCluster,
} from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aTeam, aUser } from "../shared/testing/objects.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { peopleRoleName } from "./names.ts";
import { impersonationSingleton } from "./singleton.ts";

const { ClusterRole } = builtinKinds;
const key = { name: peopleRoleName };

let cluster: TestCluster;
let harness: TenancyHarness;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [Team, User] });
  harness = new TenancyHarness(cluster, [User, Team]);
});
afterAll(async () => {
  await harness?.tidy();
  await cluster?.stop();
});

/** Ada, Bob, a team, and the role with their names. */
function crashScenarios(change?: () => Promise<unknown>) {
  return async () => {
    for (const name of ["ada", "bob"]) {
      await harness.create(User, aUser({ name, spec: { email: `${name}@example.com` } }));
    }
    await harness.create(Team, aTeam({ name: "web" }));
    const start = async (intercept?: Interceptor) => {
      const { client } = cluster;
      const caches = new CacheSet(client);
      const sync = new SingletonRuntime(impersonationSingleton, {
        ports: { client },
        caches,
        ...(intercept === undefined ? {} : { intercept }),
      });
      const { kill } = await runControllers(caches, [sync]);
      return { isSettled: () => sync.isIdle, stop: kill };
    };
    return {
      start: startAfterChange(start, change),
      snapshot: async () => (await cluster.client.find(ClusterRole, key))?.["rules"],
      tearDown: async () => {
        await harness.tidyAway(ClusterRole, key);
        for (const name of ["ada", "bob"]) await harness.tidyAway(User, { name });
        await harness.tidyAway(Team, { name: "web" });
      },
    };
  };
}

const rule = (resource: string, resourceNames: readonly string[]) => ({
  apiGroups: [""],
  resources: [resource],
  verbs: ["impersonate"],
  resourceNames,
});
const ofTeam = rule(
  "groups",
  ["admin", "operator", "viewer"].map((role) => `butler:team:web:${role}`),
);
const theWrite = [{ verb: "apply", target: `clusterroles.rbac.authorization.k8s.io ${peopleRoleName}` }];

describe("the impersonation role stopped after each of its side effects", () => {
  it("still creates the role", { timeout: 120_000 }, async () => {
    const report = await crashAfterEverySideEffect(crashScenarios());
    expect(report.sideEffects).toEqual(theWrite);
    expect(report.endState).toEqual([rule("users", ["ada@example.com", "bob@example.com"]), ofTeam]);
  });

  it("still removes a disabled user", { timeout: 120_000 }, async () => {
    const report = await crashAfterEverySideEffect(
      crashScenarios(() => harness.merge(User, { name: "bob" }, { spec: { disabled: true } })),
    );
    expect(report.sideEffects).toEqual(theWrite);
    expect(report.endState).toEqual([rule("users", ["ada@example.com"]), ofTeam]);
  });
});
