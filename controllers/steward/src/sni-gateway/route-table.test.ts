import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aControlPlane, aService } from "../exposure/testing/tenant-control-planes.ts";
import { routeClaims } from "./route-claims.ts";
import { buildRouteTable, findRoute, type RouteClaim } from "./route-table.ts";

const upstream = { host: "10.96.7.7", port: 6443 };
const claim = (name: string, hostname: string | undefined, day = 1): RouteClaim => ({
  tenant: { uid: `uid-of-${name}`, namespace: "default", name },
  creationTimestamp: `2026-01-0${day}T00:00:00Z`,
  hostname,
  upstream,
});

describe("the table of routes", () => {
  const table = buildRouteTable([
    claim("blue", "Blue.example.com."),
    claim("red", "red.example.com"),
    claim("green", undefined),
  ]);

  it.each(["blue.example.com", "BLUE.EXAMPLE.COM", "blue.example.com."])("routes %s to its tenant", (name) => {
    expect(findRoute(table, name)).toEqual({ tenant: claim("blue", "").tenant, upstream });
  });

  it.each(["example.com", "a.blue.example.com", "lue.example.com", "constructor", ""])(
    "has no route for %j",
    (name) => {
      expect(findRoute(table, name)).toBeUndefined();
    },
  );

  it("lists every tenant, also those without a route", () => {
    expect([...table.tenants.keys()].sort()).toEqual(["uid-of-blue", "uid-of-green", "uid-of-red"]);
    expect(table.refused.size).toBe(0);
  });

  it("assigns a name to its oldest claimant in any order, and a reason to the others", () => {
    const claims = [
      claim("young", "api.example.com", 3),
      claim("old", "API.example.com", 1),
      claim("middle", "api.example.com.", 2),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(claims, { minLength: 3 }), (shuffled) => {
        const { routes, refused } = buildRouteTable(shuffled);
        expect(routes.get("api.example.com")?.tenant.name).toBe("old");
        const reason = "hostname api.example.com is already used by control plane default/old; choose another one";
        expect(Object.fromEntries(refused)).toEqual({ "uid-of-young": reason, "uid-of-middle": reason });
      }),
    );
  });
});

describe("the claim of a control plane", () => {
  const gateway = { hostname: "blue.example.com" };
  const claimOf = (...args: Parameters<typeof aControlPlane>) => routeClaims([aControlPlane(...args)], [aService()])[0];

  it("is its hostname, and routes to its Service by port name", () => {
    expect(claimOf({ gateway })).toEqual({
      tenant: { uid: "uid-of-blue", namespace: "default", name: "blue" },
      creationTimestamp: "2026-01-01T00:00:00Z",
      hostname: "blue.example.com",
      upstream,
    });
  });

  it.each([
    ["by its Service alone", {}],
    ["by an Ingress", { ingress: gateway }],
    ["by a third-party Gateway", { gateway: { ...gateway, parentRefs: [{ name: "edge" }] } }],
  ])("is empty when it is exposed %s", (_how, traits) => {
    expect(claimOf(traits)?.hostname).toBeUndefined();
  });

  it.each([
    ["there is no Service", []],
    [
      "the Service belongs to another control plane",
      [{ ...aService(), metadata: { name: "blue", namespace: "elsewhere" } }],
    ],
    ["the Service has no address", [aService({ clusterIPs: [] })]],
    ["the Service is headless", [aService({ clusterIPs: ["None"] })]],
    [
      "the Service lacks the port",
      [{ ...aService(), spec: { clusterIP: "10.96.7.7", ports: [{ name: "metrics", port: 1 }] } }],
    ],
  ])("has no upstream as long as %s", (_what, services) => {
    const [found] = routeClaims([aControlPlane({ gateway })], services);
    expect(found).toMatchObject({ hostname: "blue.example.com", upstream: undefined });
  });
});
