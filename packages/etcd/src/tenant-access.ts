import type { KeyRange, Permission } from "./etcd-methods.ts";
import { prefixRange } from "./key-range.ts";

/** A tenant in a shared etcd: a user with one role, and the role with one range of keys. */
export interface EtcdTenant {
  readonly user: string;
  readonly role: string;
  /** What every key of the tenant begins with. */
  readonly prefix: string;
}

/** What etcd holds about a tenant; undefined where there is nothing. */
export interface TenantAccess {
  /** The roles of the user. */
  readonly userRoles: readonly string[] | undefined;
  /** The rights of the role. */
  readonly permissions: readonly Permission[] | undefined;
}

/** One change of users and roles. */
export type AccessStep =
  | { readonly type: "addRole"; readonly role: string }
  | ({ readonly type: "revokePermission"; readonly role: string } & KeyRange)
  | { readonly type: "grantPermission"; readonly role: string; readonly permission: Permission }
  | { readonly type: "addUser"; readonly user: string }
  | { readonly type: "revokeRole"; readonly user: string; readonly role: string }
  | { readonly type: "grantRole"; readonly user: string; readonly role: string };

/**
 * What is to be done so that the user may read and write the tenant's keys and nothing else. What should not be there
 * goes before anything is given, so that no step leaves more rights than there were.
 */
export function planTenantAccess({ userRoles, permissions }: TenantAccess, tenant: EtcdTenant): AccessStep[] {
  const { user, role } = tenant;
  const wanted: Permission = { permType: "READWRITE", ...prefixRange(tenant.prefix) };
  const isWanted = (range: KeyRange): boolean =>
    isSame(range.key, wanted.key) && isSame(range.rangeEnd, wanted.rangeEnd);
  const excess = (permissions ?? []).filter((permission) => !isWanted(permission));
  const isGranted = permissions?.some((held) => isWanted(held) && held.permType === "READWRITE") === true;
  const otherRoles = (userRoles ?? []).filter((held) => held !== role);
  return [
    ...otherRoles.map((held) => ({ type: "revokeRole", user, role: held }) as const),
    ...excess.map(({ key, rangeEnd }) => ({ type: "revokePermission", role, key, rangeEnd }) as const),
    ...(permissions === undefined ? [{ type: "addRole", role } as const] : []),
    ...(isGranted ? [] : [{ type: "grantPermission", role, permission: wanted } as const]),
    ...(userRoles === undefined ? [{ type: "addUser", user } as const] : []),
    ...(userRoles?.includes(role) === true ? [] : [{ type: "grantRole", user, role } as const]),
  ];
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
