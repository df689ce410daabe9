import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TenantAddon } from "@butler/api";
import { judgeDependencies, type Surroundings } from "./dependencies.ts";
import { installed, someAddon, someDefinition } from "./testing/some-objects.ts";

const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const after = (name: string, ...names: string[]): TenantAddon =>
  someAddon(name, { spec: { dependsOn: names.map((each) => ({ name: each })) } });
const judge = (addon: TenantAddon, { addons = [], definitions = [], ...rest }: Partial<Surroundings> = {}) =>
  judgeDependencies(addon, { addons, definitions, ...rest });

const cilium = someDefinition("cilium", { variations: [{ providers: ["local"], unsupported: "pods have a network" }] });
const metallb = someDefinition("metallb", { dependsOn: ["cilium"] });
const definitions = [cilium, metallb];

describe("dependencies of an add-on", () => {
  it("are met by ready add-ons of any name", () => {
    const cni = someAddon("shop-network", { spec: { addon: "cilium" }, status: installed });
    expect(judge(someAddon("metallb"), { addons: [cni], definitions })).toEqual({ state: "met" });
    expect(judge(after("web", "shop-network"), { addons: [cni] })).toEqual({ state: "met" });
  });

  it.each([
    { about: "it is not installed", addons: [], on: "cilium", message: "not installed; enable it" },
    {
      about: "it is being installed",
      addons: [someAddon("c", { spec: { addon: "cilium" }, status: { phase: "Installing" } })],
      on: "c",
      message: "c, which is Installing",
    },
    {
      about: "it is being removed",
      addons: [someAddon("c", { spec: { addon: "cilium" }, status: installed, metadata: leaving })],
      on: "c",
      message: "c, which is being removed",
    },
    {
      about: "it is degraded",
      addons: [someAddon("c", { spec: { addon: "cilium" }, status: { ...installed, phase: "Degraded" } })],
      on: "c",
      message: "c, which is Degraded",
    },
  ])("are waited for while $about", ({ addons, on, message }) => {
    const verdict = judge(someAddon("metallb"), { addons, definitions });
    expect(verdict).toMatchObject({ state: "waiting", on: [on], message: expect.stringContaining(message) as string });
  });

  it("distinguish add-ons missing in the catalog from those not installed", () => {
    const broken = someDefinition("web", { dependsOn: ["nonsense"] });
    const verdict = judge(someAddon("web"), { definitions: [broken] });
    expect(verdict).toMatchObject({ state: "impossible", reason: "DependencyMissing" });
    expect(judge(after("web", "gone"))).toMatchObject({ state: "waiting", on: ["gone"] });
  });

  it("that the infrastructure makes unnecessary are not waited for", () => {
    expect(judge(someAddon("metallb"), { definitions, providerType: "local" })).toEqual({ state: "met" });
    expect(judge(someAddon("metallb"), { definitions, providerType: "proxmox" })).toMatchObject({ state: "waiting" });
  });

  it("do not block an installed add-on, unless they are changing themselves", () => {
    const own = someAddon("metallb", { status: installed });
    const other = (phase: "Degraded" | "Upgrading") =>
      someAddon("cilium", { status: { ...installed, conditions: [], phase } });
    expect(judge(own, { addons: [other("Degraded")], definitions })).toEqual({ state: "met" });
    expect(judge(own, { addons: [other("Upgrading")], definitions })).toMatchObject({ state: "waiting" });
  });

  it("of a chart from outside the catalog are only those in its spec", () => {
    const helm = { repository: "oci://ghcr.io/demo", chart: "metallb" };
    expect(judge(someAddon("metallb", { spec: { helm } }), { definitions })).toEqual({ state: "met" });
  });

  it("in a cycle are listed in order, the same way for every member and dependent", () => {
    const addons = [after("c", "a"), after("a", "b"), after("b", "c"), after("outside", "c")];
    const told = addons.map((addon) => judge(addon, { addons }));
    for (const verdict of told) {
      expect(verdict).toMatchObject({ state: "impossible", reason: "DependencyCycle" });
      expect(verdict).toHaveProperty("message", expect.stringContaining("a → b → c → a"));
    }
    expect(judge(after("d", "elsewhere"), { addons })).toMatchObject({ state: "waiting" });
  });
});

describe("dependency verdicts compared with an exhaustive model", () => {
  const names = ["a", "b", "c", "d", "e"];
  const graph = fc.tuple(...names.map(() => fc.record({ needs: fc.subarray(names), isReady: fc.boolean() })));

  it("agree with installing add-ons one by one until no more can be installed", () => {
    fc.assert(
      fc.property(graph, (nodes) => {
        const addons = nodes.map(({ needs, isReady }, at) =>
          someAddon(names[at] ?? "", {
            spec: { dependsOn: needs.map((name) => ({ name })) },
            ...(isReady ? { status: { ...installed, installedVersion: undefined } } : {}),
          }),
        );
        const ready = new Set(names.filter((_, at) => nodes[at]?.isReady));
        const reachable = new Set(ready);
        // As many rounds as there are nodes are enough, however they depend on each other.
        for (const _ of names) {
          nodes.forEach(({ needs }, at) => {
            if (needs.every((name) => reachable.has(name))) reachable.add(names[at] ?? "");
          });
        }
        addons.forEach((addon, at) => {
          const verdict = judge(addon, { addons });
          const needs = nodes[at]?.needs ?? [];
          const isMet = needs.every((name) => ready.has(name));
          const expected = isMet ? "met" : reachable.has(addon.metadata.name) ? "waiting" : "impossible";
          expect(verdict.state).toBe(expected);
          if (verdict.state === "impossible") expectCycle(verdict.message, nodes);
          if (verdict.state === "waiting") expect(verdict.on).toEqual(needs.filter((name) => !ready.has(name)));
        });
      }),
    );
  });

  function expectCycle(message: string, nodes: readonly { readonly needs: readonly string[] }[]): void {
    const [, circle = ""] = /: (.*)$/.exec(message) ?? [];
    const told = circle.split(" → ");
    expect(told.length).toBeGreaterThan(1);
    expect(told[0]).toBe(told.at(-1));
    for (const [at, name] of told.slice(0, -1).entries()) {
      expect(nodes[names.indexOf(name)]?.needs).toContain(told[at + 1]);
    }
  }
});

describe("conflicting add-ons", () => {
  const traefik = someDefinition("traefik", { conflictsWith: ["nginx"] });
  const nginx = someDefinition("nginx");
  const pair = { definitions: [traefik, nginx] };
  const older = { creationTimestamp: "2026-01-01T00:00:00Z" };
  const younger = { creationTimestamp: "2026-01-02T00:00:00Z" };

  it.each([
    { about: "denies the younger", one: { metadata: younger }, other: { metadata: older }, isRefused: true },
    { about: "accepts the older", one: { metadata: older }, other: { metadata: younger }, isRefused: false },
    { about: "denies one that is not stored yet", one: {}, other: { metadata: older }, isRefused: true },
    {
      about: "keeps the installed one",
      one: { metadata: older },
      other: { metadata: younger, status: installed },
      isRefused: true,
    },
    {
      about: "accepts one that is installed",
      one: { metadata: younger, status: installed },
      other: { metadata: older },
      isRefused: false,
    },
  ])("$about", ({ one, other, isRefused }) => {
    for (const [ours, theirs] of [
      ["traefik", "nginx"],
      ["nginx", "traefik"],
    ] as const) {
      const verdict = judge(someAddon(ours, one), { ...pair, addons: [someAddon(theirs, other)] });
      expect(verdict.state).toBe(isRefused ? "impossible" : "met");
      if (isRefused)
        expect(verdict).toMatchObject({ reason: "Conflict", message: expect.stringContaining(theirs) as string });
    }
  });

  it("wait while the other is being removed", () => {
    const addons = [someAddon("nginx", { metadata: { ...older, ...leaving } })];
    expect(judge(someAddon("traefik", { metadata: younger }), { ...pair, addons })).toMatchObject({
      state: "waiting",
      on: ["nginx"],
    });
  });

  it("include two with the same Helm release", () => {
    const first = someAddon("first", { spec: { addon: "nginx" }, metadata: older });
    const second = someAddon("second", { spec: { addon: "nginx" }, metadata: younger });
    expect(judge(second, { ...pair, addons: [first] })).toMatchObject({ state: "impossible", reason: "Conflict" });
    expect(judge(first, { ...pair, addons: [second] })).toEqual({ state: "met" });
  });

  it("are never both denied", () => {
    const times = fc.constantFrom(older, younger, {});
    const part = fc.record({ metadata: times, status: fc.constantFrom(undefined, installed) });
    fc.assert(
      fc.property(part, part, (one, other) => {
        const [left, right] = [someAddon("nginx", one), someAddon("traefik", other)];
        const states = [judge(left, { ...pair, addons: [right] }), judge(right, { ...pair, addons: [left] })];
        expect(states.filter(({ state }) => state === "impossible").length).toBeLessThan(2);
      }),
    );
  });
});
