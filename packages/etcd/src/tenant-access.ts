import type { KeyRange, Permission } from "./etcd-methods.ts";
import { prefixRange } from "./key-range.ts";

/** A tenant in a shared etcd: a user with one role, and the role with one range of keys. */
export interface EtcdTenant {
  readonly user: string;
  readonly role: string;
  /** Prefix of all keys of the tenant. */
  readonly prefix: string;
}

/** The state of a tenant in etcd; undefined where it does not exist. */
export interface TenantAccess {
  /** The roles of the user. */
  readonly userRoles: readonly string[] | undefined;
  /** The permissions of the role. */
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
 * The changes after which the user can read and write the tenant's keys and nothing else. Excess permissions are
 * revoked before any are granted, so that no step increases access.
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
