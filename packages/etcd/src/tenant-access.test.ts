import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Permission } from "./etcd-methods.ts";
import { prefixRange } from "./key-range.ts";
import { type AccessStep, planTenantAccess, type TenantAccess } from "./tenant-access.ts";

const tenant = { user: "tenant-a", role: "tenant-a", prefix: "/butler/a/" };
const rightTo = (prefix: string, permType: Permission["permType"] = "READWRITE"): Permission => ({
  permType,
  ...prefixRange(prefix),
});
const types = (access: TenantAccess): string[] => planTenantAccess(access, tenant).map(({ type }) => type);

describe("what a tenant needs", () => {
  it.each<[string, TenantAccess, string[]]>([
    [
      "is everything in an empty etcd",
      { userRoles: undefined, permissions: undefined },
      ["addRole", "grantPermission", "addUser", "grantRole"],
    ],
    ["is nothing when everything is correct", { userRoles: ["tenant-a"], permissions: [rightTo("/butler/a/")] }, []],
    ["is a permission when the role has none", { userRoles: ["tenant-a"], permissions: [] }, ["grantPermission"]],
    [
      "is the full permission when the role may only read",
      { userRoles: ["tenant-a"], permissions: [rightTo("/butler/a/", "READ")] },
      ["grantPermission"],
    ],
    [
      "is the revocation of additional permissions",
      { userRoles: ["tenant-a"], permissions: [rightTo("/butler/"), rightTo("/butler/a/"), rightTo("")] },
      ["revokePermission", "revokePermission"],
    ],
    [
      "is the revocation of other roles, before any grant",
      { userRoles: ["root", "tenant-b"], permissions: [rightTo("/butler/b/")] },
      ["revokeRole", "revokeRole", "revokePermission", "grantPermission", "grantRole"],
    ],
  ])("%s", (_name, access, expected) => {
    expect(types(access)).toEqual(expected);
  });

  it("is reached from any state, and never widens on the way", () => {
    const permission = fc.record({
      prefix: fc.constantFrom("", "/", "/butler/", "/butler/a", "/butler/a/", "/butler/a/b/", "/butler/aa/"),
      type: fc.constantFrom("READ", "WRITE", "READWRITE"),
    });
    const access = fc.record({
      userRoles: fc.option(fc.uniqueArray(fc.constantFrom("root", "tenant-a", "tenant-b")), { nil: undefined }),
      permissions: fc.option(
        fc
          .uniqueArray(permission, { selector: ({ prefix }) => prefix })
          .map((list) => list.map(({ prefix, type }) => rightTo(prefix, type))),
        { nil: undefined },
      ),
    });
    const property = fc.property(access, (before) => {
      let now: TenantAccess = before;
      for (const step of planTenantAccess(before, tenant)) {
        now = take(now, step);
        const gained = (now.permissions ?? []).filter(
          (held) => !(before.permissions ?? []).some((had) => same(had, held)),
        );
        expect(gained.every((held) => same(held, rightTo("/butler/a/")))).toBe(true);
      }
      expect(now.userRoles).toEqual(["tenant-a"]);
      expect(now.permissions).toEqual([rightTo("/butler/a/")]);
      expect(planTenantAccess(now, tenant)).toEqual([]);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

function same(left: Permission, right: Permission): boolean {
  return left.permType === right.permType && isSameRange(left, right);
}

function isSameRange(left: Pick<Permission, "key" | "rangeEnd">, right: Pick<Permission, "key" | "rangeEnd">): boolean {
  return Buffer.compare(left.key, right.key) === 0 && Buffer.compare(left.rangeEnd, right.rangeEnd) === 0;
}

/** Applies a step as etcd would. */
function take({ userRoles, permissions }: TenantAccess, step: AccessStep): TenantAccess {
  const without = (range: Pick<Permission, "key" | "rangeEnd">) =>
    (permissions ?? []).filter((held) => !isSameRange(held, range));
  switch (step.type) {
    case "addRole":
      return { userRoles, permissions: [] };
    case "addUser":
      return { userRoles: [], permissions };
    case "grantPermission":
      return { userRoles, permissions: [...without(step.permission), step.permission] };
    case "revokePermission":
      return { userRoles, permissions: without(step) };
    case "grantRole":
      return { userRoles: [...(userRoles ?? []), step.role], permissions };
    case "revokeRole":
      return { userRoles: (userRoles ?? []).filter((role) => role !== step.role), permissions };
  }
}
