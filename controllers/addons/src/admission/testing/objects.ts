import { ManagementAddon, TenantAddon } from "@butler/api";
import { type ObjectMeta, parseObject } from "@butler/resource";

type Plain = Readonly<Record<string, unknown>>;

/** The fields of an object that a test sets besides its spec. */
interface Traits {
  readonly metadata?: Partial<ObjectMeta>;
  readonly status?: Plain;
}

/** An add-on of the cluster shop. */
export function anAddon(spec: Plain, { metadata = {}, status }: Traits = {}): TenantAddon {
  return parseObject(TenantAddon, {
    apiVersion: TenantAddon.apiVersion,
    kind: TenantAddon.kind,
    metadata: { name: "shop-x", namespace: "payments", ...metadata },
    spec: { clusterRef: { name: "shop" }, ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

/** An add-on of the management cluster. */
export function aManagementAddon(spec: Plain, { metadata = {}, status }: Traits = {}): ManagementAddon {
  return parseObject(ManagementAddon, {
    apiVersion: ManagementAddon.apiVersion,
    kind: ManagementAddon.kind,
    metadata: { name: "x", ...metadata },
    spec,
    ...(status === undefined ? {} : { status }),
  });
}
