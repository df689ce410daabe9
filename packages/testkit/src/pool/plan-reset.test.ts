import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPristine, listsToAwait, planReset } from "./plan-reset.ts";
import type { StoredKey, StoredValue } from "./store-keys.ts";

const crds = "/registry/apiextensions.k8s.io/customresourcedefinitions/";
const stored = (key: string, version = "1", value = "dmFsdWU="): StoredValue => ({ key, version, value });
const baselineOf = (...values: readonly StoredValue[]): Map<string, StoredValue> =>
  new Map(values.map((each) => [each.key, each]));

describe("planReset", () => {
  it("is empty if nothing was written", () => {
    const baseline = baselineOf(stored("/registry/namespaces/default"), stored(`${crds}teams.butler`));
    expect(isPristine(planReset(baseline, [...baseline.values()]))).toBe(true);
  });

  it("removes new keys and restores changed or deleted ones", () => {
    const baseline = baselineOf(stored("/registry/a"), stored("/registry/b"), stored("/registry/c"));
    const plan = planReset(baseline, [stored("/registry/a"), stored("/registry/b", "7"), stored("/registry/new", "8")]);
    expect(plan).toEqual({ remove: ["/registry/new"], restore: [stored("/registry/b"), stored("/registry/c")] });
  });

  it("removes CRDs last, so that watches of their objects receive the deletions", () => {
    const now = [stored(`${crds}foos.example.com`), stored("/registry/example.com/foos/one")];
    expect(planReset(new Map(), now).remove).toEqual(["/registry/example.com/foos/one", `${crds}foos.example.com`]);
  });

  it("keeps heartbeats of system programs, and removes other Leases", () => {
    const own = stored("/registry/leases/kube-system/apiserver-1");
    const now = [{ ...own, version: "9" }, stored("/registry/leases/butler-system/butler-controller")];
    expect(planReset(baselineOf(own), now)).toEqual({
      remove: ["/registry/leases/butler-system/butler-controller"],
      restore: [],
    });
  });

  it("reaches a fixed point after one pass, whatever was done to the store", () => {
    const keys = fc.constantFrom("/registry/a", "/registry/b", "/registry/c/d", `${crds}foos.example.com`);
    const values = fc.uniqueArray(fc.record({ key: keys, version: fc.constantFrom("1", "2") }), {
      selector: ({ key }) => key,
    });
    fc.assert(
      fc.property(values, values, (first, now) => {
        const baseline = baselineOf(...first.map(({ key, version }) => stored(key, version)));
        const { remove, restore } = planReset(baseline, now);
        const left = new Map<string, StoredKey>(
          now.filter(({ key }) => !remove.includes(key)).map((each) => [each.key, each]),
        );
        for (const { key, version } of restore) left.set(key, { key, version });
        expect(isPristine(planReset(baseline, [...left.values()]))).toBe(true);
      }),
    );
  });
});

describe("listsToAwait", () => {
  it("returns the lists that the API server decides by, per namespace if namespaced", () => {
    const remove = [
      "/registry/rolebindings/payments/team",
      "/registry/configmaps/payments/one",
      `${crds}foos.example.com`,
    ];
    expect(listsToAwait({ remove, restore: [] })).toEqual([
      { path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", names: new Set(["foos.example.com"]) },
      { path: "/apis/rbac.authorization.k8s.io/v1/rolebindings", names: new Set(["payments/team"]) },
    ]);
  });
});
