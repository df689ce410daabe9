import { describe, expect, expectTypeOf, it } from "vitest";
import { allRoutes } from "./all-routes.ts";
import { createClient, pathOf } from "./client.ts";
import { buildDocsPage } from "./docs-page.ts";
import { buildRestReference } from "./markdown.ts";
import { buildOpenApi } from "./openapi.ts";
import { problem, problemCodes } from "./problem.ts";
import { isWrite, type Route } from "./route.ts";
import { createCluster, getCluster, listClusters } from "./routes/clusters.ts";

const named = allRoutes.map((route) => [route.id, route] as const);
const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
const documentOf = buildOpenApi(allRoutes, "1.2.3");

describe.each(named)("route %s", (_id, route) => {
  it("declares exactly the parameters of its paths", () => {
    for (const path of [route.path, ...route.aliases]) {
      expect(parametersOf(path).toSorted()).toEqual(Object.keys(route.params.shape).toSorted());
    }
  });

  it("documents each field of params, query and body, and has valid body examples", () => {
    const { parameters } = operationOf(route);
    for (const { name, description } of parameters) expect(description, name).not.toBe("");
    if (route.body === undefined) return;
    const examples = route.body.meta()?.["examples"] as unknown[];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(route.body.safeParse(example)).toMatchObject({ success: true });
  });

  it("audits its changes", () => {
    // A dry run changes nothing; every other write is audited.
    const isWithoutEffect = route.id === "clusters.plan" || route.id === "live.ticket";
    if (isWrite(route.method) && !isWithoutEffect) expect(route.audit).not.toBe("none");
  });

  it("declares UNAUTHENTICATED unless it is public", () => {
    // These are public and still return it: the credentials in the request may be wrong.
    const takesProof = ["auth.login", "auth.refresh"].includes(route.id);
    expect(route.errors.includes("UNAUTHENTICATED")).toBe(route.permission.kind !== "public" || takesProof);
  });

  it("takes the team or cluster of its permission from its input", () => {
    const { permission, params, body } = route;
    if (permission.kind === "cluster")
      expect(Object.keys(params.shape)).toEqual(expect.arrayContaining(["namespace", "name"]));
    if (permission.kind === "team" && permission.from === "path") expect(Object.keys(params.shape)).toContain("team");
    if (permission.kind === "team" && permission.from === "body") expect(body).toBeDefined();
  });
});

describe("all routes", () => {
  it("have unique ids and paths", () => {
    expect(new Set(allRoutes.map(({ id }) => id)).size).toBe(allRoutes.length);
    const places = allRoutes.flatMap(({ method, path, aliases }) => [path, ...aliases].map((at) => `${method} ${at}`));
    expect(new Set(places).size).toBe(places.length);
  });

  it("require a signed-in user, except for the server itself and for signing in", () => {
    const open = allRoutes.filter(({ permission }) => permission.kind === "public").map(({ id }) => id);
    const system = ["system.health", "system.ready", "system.version", "system.openapi", "system.docs"];
    const waysIn = ["providers", "beginSingle", "begin", "callback", "login", "logout", "refresh", "setup"];
    const signIn = [...waysIn, "invitation", "setPassword"].map((name) => `auth.${name}`);
    // These take a secret, or return one that is worthless until a user approves it.
    const ofCommandLines = ["device.start", "device.token", "device.refresh", "device.revoke"];
    expect(open).toEqual([...system, ...signIn, ...ofCommandLines]);
  });

  it("change nothing for viewers", () => {
    // A terminal has only the rights of its role in the cluster, and a ticket only allows listening.
    const harmless = new Set(["terminal.open", "live.ticket"]);
    const writes = allRoutes.filter(
      ({ id, method, permission }) => isWrite(method) && permission.kind !== "public" && !harmless.has(id),
    );
    // Users manage their own sign-ins.
    const ofDevices = ["device.approve", "device.deny", "device.end"];
    const own = new Set(["auth.endSession", "auth.endOtherSessions", "auth.changePassword", ...ofDevices]);
    for (const { id, permission } of writes) {
      expect(permission, id).not.toMatchObject({ role: "viewer" });
      expect(permission.kind === "session", id).toBe(own.has(id));
    }
  });
});

describe("the OpenAPI document", () => {
  it("resolves every reference and has unique operation ids", () => {
    const text = JSON.stringify(documentOf);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = ""]) => target);
    expect(references.length).toBeGreaterThan(100);
    for (const target of references) {
      expect(Object.keys(documentOf.components.schemas)).toContain(target.replace("#/components/schemas/", ""));
    }
    expect(text).not.toMatch(/x-kubernetes-|\$defs/);
    const ids = Object.values(documentOf.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("describes every response, and has a schema for every successful one with a body", () => {
    expect(documentOf.openapi).toBe("3.1.0");
    for (const route of allRoutes) {
      const { responses } = operationOf(route);
      for (const answer of Object.values(responses)) expect(answer["description"]).toBeTruthy();
      const hasNoBody = route.status === 302 || route.status === 204;
      expect(responses[String(route.status)]).toHaveProperty(hasNoBody ? "description" : "content");
    }
  });

  it("has numeric limits for the page size", () => {
    const limit = operationOf(listClusters).parameters.find(({ name }) => name === "limit");
    expect(limit).toMatchObject({
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 500, default: 500 },
    });
  });
});

describe("HTML and Markdown documentation", () => {
  it("contains every route and every problem", () => {
    const page = buildDocsPage(allRoutes, "1.2.3");
    const reference = buildRestReference(allRoutes);
    for (const { id, method, path } of allRoutes) {
      expect(page).toContain(`id="${id}"`);
      expect(reference).toContain(`### ${method} ${path}`);
    }
    for (const code of Object.keys(problemCodes)) expect(reference).toContain(`\`${code}\``);
  });

  it("loads no external resources", () => {
    expect(buildDocsPage(allRoutes, "")).not.toMatch(/<(script|link|img|iframe)|@import|url\(/);
  });
});

describe("the client", () => {
  const answering = (status: number, body: unknown) => {
    const seen: { url: string; init: RequestInit }[] = [];
    const client = createClient({
      baseUrl: "https://butler.example.com",
      headers: () => ({ authorization: "Bearer x" }),
      fetch: (url, init = {}) => {
        seen.push({ url: url as string, init });
        return Promise.resolve(new Response(JSON.stringify(body), { status }));
      },
    });
    return { client, seen };
  };

  it("sends the input of a route, and types its result", async () => {
    const { client, seen } = answering(200, { clusters: [], total: 0 });
    const page = await client.call(listClusters, { query: { team: "a&b", limit: 5 } });
    expectTypeOf(page.clusters[0]?.spec.workers.replicas).toEqualTypeOf<number | undefined>();
    expect(seen[0]).toMatchObject({
      url: "https://butler.example.com/api/clusters?team=a%26b&limit=5",
      init: { method: "GET", headers: { authorization: "Bearer x" } },
    });
    // @ts-expect-error: name is required
    await client.call(createCluster, { body: {} });
    expect(seen[1]?.init.body).toBe("{}");
  });

  it("escapes path parameters", () => {
    expect(pathOf(getCluster, { namespace: "a/../b", name: "x y" })).toBe("/api/clusters/a%2F..%2Fb/x%20y");
    expect(() => pathOf(getCluster, { namespace: "a" })).toThrow("requires a value for name");
  });

  it("throws the server's problem", async () => {
    const said = (problem.meta()?.["examples"] as Record<string, unknown>[] | undefined)?.[0] ?? {};
    const { client } = answering(422, said);
    await expect(client.call(listClusters, {})).rejects.toMatchObject({ code: "REFUSED", problem: said });
    await expect(answering(502, "<html>").client.call(listClusters, {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});

function operationOf(route: Pick<Route, "path" | "method">) {
  const operation = documentOf.paths[route.path]?.[route.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${route.path} is not in the document`);
  return operation;
}
