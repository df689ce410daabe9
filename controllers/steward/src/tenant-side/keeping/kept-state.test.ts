import type { KubeObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tenantObjects } from "../objects/tenant-objects.ts";
import { aTenantInput } from "../testing/tenant-input.ts";
import { KeptState } from "./kept-state.ts";
import { catalog, idOf } from "./tenant-catalog.ts";

const objects = tenantObjects(aTenantInput());
const all = tenantObjects(aTenantInput({ coreDNS: {}, kubeProxy: {} }));
const [first, second] = objects as [KubeObject, KubeObject];

const at = (object: KubeObject, version: number, uid = "one"): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, uid, resourceVersion: String(version) },
});

function stateWith(...verified: readonly KubeObject[]): KeptState {
  const state = new KeptState();
  state.want(objects);
  for (const object of verified) state.noteVerified(idOf(object), object, at(object, 10));
  return state;
}

describe("KeptState", () => {
  it("checks everything first, and nothing once it is verified", () => {
    expect(stateWith().toDo).toEqual(objects.map(idOf));
    expect(stateWith(...objects).toDo).toEqual([]);
  });

  it("checks what was changed or deleted again, but not its own writes", () => {
    const state = stateWith(...objects);
    expect(state.noteSeen(idOf(first), at(first, 10))).toBe(false);
    expect(state.noteSeen(idOf(first), at(first, 9))).toBe(false);
    expect(state.toDo).toEqual([]);
    expect(state.noteSeen(idOf(first), at(first, 11))).toBe(true);
    expect(state.noteEnd(idOf(second), 12n)).toBe(true);
    expect(state.toDo).toEqual([idOf(first), idOf(second)]);
    expect([state.isSeen(idOf(first)), state.isSeen(idOf(second))]).toEqual([true, false]);
  });

  it("does not mistake the deletion of a predecessor for that of the object", () => {
    const state = stateWith(...objects);
    expect(state.noteEnd(idOf(first), 9n)).toBe(false);
    const [kind = ""] = idOf(first).split(" ");
    expect(state.noteList(kind, new Set(), 9n)).toEqual([]);
    expect(state.toDo).toEqual([]);
    const ofKind = objects.map(idOf).filter((id) => id.startsWith(`${kind} `));
    expect(state.noteList(kind, new Set(), 10n)).toEqual(ofKind);
  });

  it("checks what has a new desired state, and what must be deleted", () => {
    const state = stateWith(...objects);
    state.want(tenantObjects(aTenantInput({ clusterName: "green" })));
    expect(state.toDo).toEqual(["configmaps kube-system/kubeadm-config"]);
    state.want(objects.slice(1));
    expect(state.toDo).toEqual([idOf(first)]);
    state.forget(idOf(first));
    expect(state.toDo).toEqual([]);
  });

  it("finds leftovers of a former process, and only those in the catalog", () => {
    const state = stateWith(...objects);
    const left = all.find((object) => !objects.map(idOf).includes(idOf(object))) as KubeObject;
    const stranger = { ...left, metadata: { name: "stranger", namespace: "kube-system" } };
    expect(state.noteSeen(idOf(left), at(left, 3))).toBe(false);
    expect(state.noteSeen(idOf(stranger), at(stranger, 4))).toBe(false);
    expect(state.toDo).toEqual([idOf(left)]);
  });

  it("holds at most three entries for each named object", () => {
    const names = fc.oneof(
      fc.constantFrom(...catalog.keys()),
      fc.string().map((name) => `configmaps default/${name}`),
    );
    const news = fc.tuple(fc.constantFrom("seen", "end"), names, fc.nat({ max: 50 }));
    fc.assert(
      fc.property(fc.array(news, { maxLength: 200 }), (events) => {
        const state = stateWith();
        for (const [what, id, version] of events) {
          if (what === "seen") state.noteSeen(id, at(first, version));
          else state.noteEnd(id, BigInt(version));
        }
        expect(state.size).toBeLessThanOrEqual(objects.length + 2 * catalog.size);
        for (const id of state.toDo) expect(catalog.has(id)).toBe(true);
      }),
    );
  });
});

describe("the catalog", () => {
  it.each(["v1.33.0", "v1.34.0", "v1.35.0", "v1.36.0", "v1.37.0"])("has all that a tenant of %s may get", (version) => {
    const made = tenantObjects(aTenantInput({ version, coreDNS: {}, kubeProxy: {} })).map(idOf);
    expect(made.toSorted()).toEqual([...catalog.keys()].toSorted());
    expect(new Set(made).size).toBe(made.length);
  });
});
