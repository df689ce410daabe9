import type { DynamicObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CliPerson, type Planned, planCliAccess } from "./plan.ts";

const ada: CliPerson = {
  uid: "1111",
  email: "ada@example.com",
  grants: {
    platformRole: undefined,
    namespaces: [
      { namespace: "payments", role: "operator" },
      { namespace: "shop-12345678", role: "admin" },
    ],
  },
};
const named = (planned: readonly Planned[]): string[] =>
  planned.map(({ kind, object: { metadata } }) => `${kind.kind} ${metadata.namespace ?? ""}/${metadata.name}`);
const changed = (planned: Planned, change: Partial<DynamicObject>): Planned => ({
  ...planned,
  object: { ...planned.object, ...change },
});

describe("access of command lines", () => {
  const { create } = planCliAccess([ada], []);

  it("has one binding per namespace, and the account last", () => {
    expect(named(create)).toEqual([
      "RoleBinding payments/butler-cli-1111-operator",
      "RoleBinding shop-12345678/butler-cli-1111-admin",
      "ServiceAccount butler-cli/butler-cli-1111",
    ]);
    expect(create[0]?.object).toMatchObject({
      roleRef: { kind: "Role", name: "butler-team-operator" },
      subjects: [{ kind: "ServiceAccount", name: "butler-cli-1111", namespace: "butler-cli" }],
    });
  });

  it("binds the ClusterRole of a platform role", () => {
    const grants = { platformRole: "viewer", namespaces: [] } as const;
    const [binding] = planCliAccess([{ ...ada, grants }], []).create;
    expect(binding?.object).toMatchObject({ kind: "ClusterRoleBinding", roleRef: { name: "butler-platform-viewer" } });
  });

  it("moves to the namespace of platform administrators with the role", () => {
    const grants = { ...ada.grants, platformRole: "admin" } as const;
    const { remove, create: more } = planCliAccess([{ ...ada, grants }], create);
    expect(named(remove)).toContain("ServiceAccount butler-cli/butler-cli-1111");
    expect(named(more).at(-1)).toBe("ServiceAccount butler-cli-admins/butler-cli-1111");
    expect(more.every(({ object }) => !JSON.stringify(object).includes('"butler-cli"'))).toBe(true);
  });

  it("of an earlier version moves out of Butler's own namespace", () => {
    const old = create.map(({ kind, object }) => ({
      kind,
      object: JSON.parse(JSON.stringify(object).replaceAll('"butler-cli"', '"butler-system"')) as DynamicObject,
    }));
    const { remove, create: more } = planCliAccess([ada], old);
    expect(named(remove)).toEqual(named(old));
    expect(named(more)).toEqual(named(create));
  });

  it("is removed with its role, and only then", () => {
    const [first] = ada.grants.namespaces;
    const grants = { platformRole: undefined, namespaces: first === undefined ? [] : [first] };
    const { remove, create: more } = planCliAccess([{ ...ada, grants }], create);
    expect(named(remove)).toEqual(["RoleBinding shop-12345678/butler-cli-1111-admin"]);
    expect(more).toEqual([]);
  });

  it("is removed entirely without a signed-in command line", () => {
    expect(named(planCliAccess([], create).remove)).toEqual(named(create));
  });

  it.each([
    ["names another user", { subjects: [{ kind: "User", name: "eve@example.com" }] }],
    ["names another role", { roleRef: { kind: "ClusterRole", name: "cluster-admin" } }],
  ])("is recreated if a binding %s", (_how, change) => {
    const [first, ...rest] = create;
    const spoilt = first === undefined ? [] : [changed(first, change)];
    const plan = planCliAccess([ada], [...spoilt, ...rest]);
    expect([named(plan.remove), named(plan.create)]).toEqual([named(spoilt), named(spoilt)]);
  });

  it("settles from any existing to any desired state", () => {
    const role = fc.constantFrom("viewer" as const, "operator" as const, "admin" as const);
    const grant = fc.record({ namespace: fc.constantFrom("payments", "search", "shop-1"), role });
    const person = fc.record({
      uid: fc.constantFrom("1", "2"),
      email: fc.constant("x@example.com"),
      grants: fc.record({
        platformRole: fc.constantFrom(undefined, "admin" as const, "viewer" as const),
        namespaces: fc.uniqueArray(grant, { selector: ({ namespace }) => namespace }),
      }),
    });
    const people = fc.uniqueArray(person, { selector: ({ uid }) => uid });
    fc.assert(
      fc.property(people, people, (before, wanted) => {
        const existing = planCliAccess(before, []).create;
        const { remove, create: made } = planCliAccess(wanted, existing);
        const after = [...existing.filter((planned) => !remove.includes(planned)), ...made];
        expect(planCliAccess(wanted, after)).toEqual({ remove: [], create: [] });
        expect(named(after).toSorted()).toEqual(named(planCliAccess(wanted, []).create).toSorted());
      }),
    );
  });
});
