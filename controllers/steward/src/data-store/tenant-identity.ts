import type { EtcdTenant } from "@butler/etcd";
import { InvalidInput } from "@butler/std";

/** Who a control plane is in its store, and where its keys are. The prefix begins and ends with "/". */
export type TenantIdentity = EtcdTenant;

/** What every prefix of a control plane begins with. */
export const tenantsPrefix = "/butler/";

/** What the name of every control plane's user begins with. */
export const tenantUserPrefix = "tenant-";

/** Kubernetes' uids are UUIDs; anything without "/" and in one case only could not collide either. */
const uidForm = /^[0-9a-z](?:[0-9a-z-]{0,54}[0-9a-z])?$/;

/**
 * The identity of a control plane, from its uid alone: nobody chooses a uid, no two objects have the same one, and it
 * holds no character that means something in a key. So no tenant can take, or reach into, the place of another.
 */
export function tenantIdentity(uid: string): TenantIdentity {
  if (!uidForm.test(uid)) throw new InvalidInput(`${JSON.stringify(uid)} is not the uid of an object`);
  const name = `${tenantUserPrefix}${uid}`;
  return { user: name, role: name, prefix: `${tenantsPrefix}${uid}/` };
}

/** The value of kube-apiserver's `--etcd-prefix`, which takes no slash at its end and puts one there itself. */
export function etcdPrefixFlag({ prefix }: Pick<TenantIdentity, "prefix">): string {
  return prefix.slice(0, -1);
}
