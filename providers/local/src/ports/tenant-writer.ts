import { connect, type KubeClient, readTenantKubeconfig } from "@butler/kube";
import { builtinKinds, type Kind, type KubeObject, type ObjectKey } from "@butler/resource";
import { Bug, isRecord, Unavailable } from "@butler/std";

/** Objects for a tenant's cluster, and the Secret with the kubeconfig that leads there. */
export interface TenantObjects {
  readonly kubeconfig: ObjectKey;
  readonly kinds: readonly Kind[];
  readonly objects: readonly KubeObject[];
}

/** Makes objects of a tenant's cluster what they are said to be. */
export type TenantWriter = (write: TenantObjects, signal: AbortSignal) => Promise<void>;

const fieldManager = "butler-local-provider";
const limitMs = 10_000;

/** Writes through the tenant's own API. */
export function createTenantWriter(client: KubeClient): TenantWriter {
  return async ({ kubeconfig, kinds, objects }, signal) => {
    const tenant = connect(readTenantKubeconfig(await kubeconfigText(client, kubeconfig, signal)), {
      userAgent: fieldManager,
    });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    try {
      for (const object of objects) {
        const kind = kinds.find((each) => each.kind === object.kind);
        if (kind === undefined) throw new Bug(`no kind is given for ${object.kind}`);
        await tenant.client.apply(kind, object, { fieldManager, signal: limit });
      }
    } finally {
      await tenant.close();
    }
  };
}

async function kubeconfigText(client: KubeClient, key: ObjectKey, signal: AbortSignal): Promise<string> {
  const secret = await client.get(builtinKinds.Secret, key, signal);
  const data: unknown = secret["data"];
  const value = isRecord(data) ? data["value"] : undefined;
  if (typeof value !== "string") throw new Unavailable(`Secret ${key.name} has no kubeconfig under the key "value"`);
  return Buffer.from(value, "base64").toString();
}
