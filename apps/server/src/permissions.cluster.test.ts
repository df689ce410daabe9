import { allRoutes, isWrite, pathOf, type Route } from "@butler/contract";
import { Team, TenantCluster } from "@butler/api";
import { systemClock } from "@butler/std";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import { eventually } from "@butler/testkit";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newObject } from "./handlers/writing.ts";
import { buildApp } from "./http/app.ts";
import type { SignedIn } from "./ports.ts";
import { type Served, startServed } from "./testing/served.ts";

const person = (email: string, rest: Partial<SignedIn> = {}): SignedIn => ({ person: { email, groups: [] }, ...rest });
const people: Readonly<Record<string, SignedIn>> = {
  stranger: person("stranger@example.com"),
  viewer: person("viewer@example.com"),
  operator: person("operator@example.com"),
  admin: person("admin@example.com"),
  platformViewer: person("pv@example.com", { platformRole: "viewer" }),
  platformAdmin: person("pa@example.com", { platformRole: "admin" }),
};
const everybody = ["nobody", ...Object.keys(people)];

/** The expected permissions of each route, written independently: a change must be made here as well. */
const needs: Readonly<Record<string, keyof typeof answers>> = {
  "system.health": "public",
  "system.ready": "public",
  "system.version": "public",
  "system.openapi": "public",
  "system.docs": "public",
  "auth.me": "session",
  "auth.teams": "session",
  "auth.providers": "public",
  "auth.beginSingle": "public",
  "auth.begin": "public",
  "auth.callback": "public",
  "auth.login": "public",
  "auth.logout": "public",
  "auth.refresh": "public",
  "auth.setup": "public",
  "auth.sessions": "session",
  "auth.endSession": "session",
  "auth.endOtherSessions": "session",
  "auth.sessionsOfUser": "platform admin",
  "auth.endSessionsOfUser": "platform admin",
  "auth.endSessionOfUser": "platform admin",
  "auth.invitation": "public",
  "auth.setPassword": "public",
  "auth.changePassword": "session",
  "clusters.list": "session",
  "clusters.get": "cluster viewer",
  "clusters.create": "team operator",
  "clusters.plan": "team operator",
  "clusters.update": "cluster operator",
  "clusters.scale": "cluster operator",
  "clusters.upgrade": "cluster operator",
  "clusters.delete": "cluster operator",
  "clusters.environment": "cluster operator",
  "clusters.protection": "cluster operator",
  "clusters.why": "cluster viewer",
  "clusters.kubeconfig": "cluster admin",
  "clusters.nodes": "cluster viewer",
  "clusters.events": "cluster viewer",
  "clusters.export": "cluster viewer",
  "clusters.versions": "session",
  "addons.catalog": "session",
  "addons.catalogEntry": "session",
  "addons.list": "cluster viewer",
  "addons.get": "cluster viewer",
  "addons.enable": "cluster operator",
  "addons.change": "cluster operator",
  "addons.rollback": "cluster operator",
  "addons.delete": "cluster operator",
  "addons.createEntry": "platform admin",
  "addons.updateEntry": "platform admin",
  "addons.deleteEntry": "platform admin",
  "certificates.list": "cluster viewer",
  "certificates.rotate": "cluster operator",
  "teams.list": "session",
  "teams.get": "team viewer",
  "teams.create": "platform admin",
  "teams.update": "team admin",
  "teams.delete": "platform admin",
  "teams.clusters": "team viewer",
  "teams.usage": "team viewer",
  "teams.environments": "team viewer",
  "teams.createEnvironment": "team admin",
  "teams.updateEnvironment": "team admin",
  "teams.deleteEnvironment": "team admin",
  "members.list": "team viewer",
  "members.add": "team admin",
  "members.change": "team admin",
  "members.remove": "team admin",
  "members.groups": "team viewer",
  "members.addGroup": "team admin",
  "members.changeGroup": "team admin",
  "members.removeGroup": "team admin",
  "users.list": "platform viewer",
  "users.get": "platform viewer",
  "users.invite": "platform admin",
  "users.reinvite": "platform admin",
  "users.disable": "platform admin",
  "users.enable": "platform admin",
  "users.platformRole": "platform admin",
  "users.delete": "platform admin",
  "providers.list": "session",
  "providers.get": "session",
  "providers.ofTeam": "team viewer",
  "networks.list": "platform viewer",
  "networks.get": "platform viewer",
  "networks.create": "platform admin",
  "networks.update": "platform admin",
  "networks.delete": "platform admin",
  "networks.allocations": "platform viewer",
  "networks.allAllocations": "platform viewer",
  "networks.ofCluster": "cluster viewer",
  "networks.deleteAllocation": "platform admin",
  "providers.create": "platform admin",
  "providers.test": "platform admin",
  "providers.update": "platform admin",
  "providers.delete": "platform admin",
  "providers.validate": "platform admin",
  "providers.createForTeam": "team admin",
  "providers.testForTeam": "team admin",
  "providers.updateForTeam": "team admin",
  "providers.deleteForTeam": "team admin",
  "identityProviders.list": "platform viewer",
  "identityProviders.presets": "platform viewer",
  "identityProviders.get": "platform viewer",
  "identityProviders.create": "platform admin",
  "identityProviders.update": "platform admin",
  "identityProviders.delete": "platform admin",
  "identityProviders.test": "platform admin",
  "identityProviders.validate": "platform admin",
  "settings.get": "platform viewer",
  "settings.put": "platform admin",
  "policies.list": "platform viewer",
  "policies.get": "platform viewer",
  "policies.create": "platform admin",
  "policies.update": "platform admin",
  "policies.delete": "platform admin",
  "controlPlanes.list": "platform viewer",
  "dataStores.list": "platform viewer",
  "audit.query": "platform viewer",
  "audit.ofTeam": "team admin",
  "audit.export": "platform viewer",
  "audit.verify": "platform viewer",
  "live.ticket": "session",
  "device.start": "public",
  "device.token": "public",
  "device.show": "session",
  "device.approve": "session",
  "device.deny": "session",
  "device.refresh": "public",
  "device.revoke": "public",
  "device.logins": "session",
  "device.end": "session",
  "terminal.open": "cluster viewer",
};

/** Required input of some routes. */
const queries: Readonly<Record<string, string>> = { "device.show": "?user_code=BCDF-GHJK" };

/**
 * Who is allowed: not signed in, stranger, viewer, operator and admin of the team, viewer and admin of the platform.
 */
const answers = {
  public: [200, 200, 200, 200, 200, 200, 200],
  session: [401, 200, 200, 200, 200, 200, 200],
  "platform viewer": [401, 403, 403, 403, 403, 200, 200],
  "platform admin": [401, 403, 403, 403, 403, 403, 200],
  "team viewer": [401, 404, 200, 200, 200, 200, 200],
  "team operator": [401, 404, 403, 200, 200, 403, 200],
  "team admin": [401, 404, 403, 403, 200, 403, 200],
  "cluster viewer": [401, 404, 200, 200, 200, 200, 200],
  "cluster operator": [401, 404, 403, 200, 200, 403, 200],
  "cluster admin": [401, 404, 403, 403, 200, 403, 200],
} as const;

let served: Served;
let app: FastifyInstance;

beforeAll(async () => {
  served = await startServed("server-permissions", people);
  const { client } = served.cluster;
  await served.cluster.createNamespace("payments");
  const users = ["viewer", "operator", "admin"].map((role) => ({ name: `${role}@example.com`, role }));
  await client.create(
    Team,
    newObject(Team, { name: "payments" }, { spec: { access: { users }, environments: [{ name: "dev" }] } }),
  );
  const spec = { teamRef: { name: "payments" } };
  await client.create(TenantCluster, newObject(TenantCluster, { name: "shop", namespace: "payments" }, { spec }));
  const { state } = served.server;
  await eventually(() => state.teams.size === 1 && state.clusters.size === 1);
  app = buildApp({
    parts: {
      state,
      client,
      authenticate: ({ headers }) => Promise.resolve(people[String(headers["x-who"])]),
      checkCsrf: () => true,
      audit: { commit: () => Promise.resolve() },
      clock: systemClock,
      logger: silentLogger,
      requestTimeoutMs: 10_000,
      checkAnswers: false,
    },
    // Allowed requests get a marker response, and nothing is done.
    handlers: allRoutes.map((route) => ({
      route: { ...route, status: 200 },
      run: () => Promise.resolve("let through"),
    })),
    metrics: new MetricsRegistry(),
    clock: systemClock,
    trustedProxies: [],
    rateLimits: { normal: { burst: 1e6, perSecond: 1e6 }, strict: { burst: 1e6, perSecond: 1e6 } },
  });
});

afterAll(async () => {
  await app?.close();
  await served?.stop();
});

const values = {
  namespace: "payments",
  name: "shop",
  team: "payments",
  email: "viewer@example.com",
  environment: "dev",
  session: "0".repeat(32),
};

async function ask(route: Route, who: string, path: string = route.path): Promise<number> {
  const params = Object.fromEntries(
    Object.keys(route.params.shape).map((key) => [key, values[key as keyof typeof values] ?? "some"]),
  );
  const body = (route.body?.meta()?.["examples"] as unknown[] | undefined)?.[0];
  const { statusCode } = await app.inject({
    method: route.method,
    url: pathOf({ path }, params) + (queries[route.id] ?? ""),
    headers: { "x-who": who, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return statusCode;
}

describe("every route", () => {
  it("is in the table", () => {
    expect(Object.keys(needs)).toEqual(allRoutes.map(({ id }) => id));
  });

  it.each(allRoutes.map((route) => [route.id, route] as const))(
    "%s allows exactly the expected callers",
    async (id, route) => {
      for (const path of [route.path, ...route.aliases]) {
        const given = await Promise.all(everybody.map((who) => ask(route, who, path)));
        expect(given).toEqual(answers[needs[id] ?? "public"]);
      }
    },
  );

  it("lets platform viewers change nothing and read no secrets", async () => {
    const forbidden = allRoutes.filter(({ method, id }) => isWrite(method) || id === "clusters.kubeconfig");
    // All users can sign in and out and manage their own sessions; their terminal has the role `view`, without Secrets.
    const own = ({ id, permission: { kind } }: Route): boolean =>
      kind === "public" || kind === "session" || id === "terminal.open";
    for (const route of forbidden.filter((candidate) => !own(candidate)))
      expect(await ask(route, "platformViewer"), route.id).toBe(403);
  });
});
