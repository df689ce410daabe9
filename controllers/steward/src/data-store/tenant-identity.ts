import type { EtcdTenant } from "@butler/etcd";
import { InvalidInput } from "@butler/std";

/** The identity of a control plane in its store, and the prefix of its keys. The prefix starts and ends with "/". */
export type TenantIdentity = EtcdTenant;

/** The common prefix of all control planes. */
export const tenantsPrefix = "/butler/";

/** The name prefix of all control plane users. */
export const tenantUserPrefix = "tenant-";

/** Kubernetes' uids are UUIDs; anything without "/" and in one case only could not collide either. */
const uidForm = /^[0-9a-z](?:[0-9a-z-]{0,54}[0-9a-z])?$/;

/**
 * The identity of a control plane, from its UID alone: users cannot choose a UID, no two objects have the same one, and
 * it holds no character that means something in a key. So no tenant can take, or reach into, the place of another.
 */
export function tenantIdentity(uid: string): TenantIdentity {
  if (!uidForm.test(uid)) throw new InvalidInput(`${JSON.stringify(uid)} is not a valid object UID`);
  const name = `${tenantUserPrefix}${uid}`;
  return { user: name, role: name, prefix: `${tenantsPrefix}${uid}/` };
}

/** The value of kube-apiserver's `--etcd-prefix`, which takes no slash at its end and puts one there itself. */
export function etcdPrefixFlag({ prefix }: Pick<TenantIdentity, "prefix">): string {
  return prefix.slice(0, -1);
}
