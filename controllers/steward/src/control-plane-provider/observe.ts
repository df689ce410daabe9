import { type StewardControlPlane, TenantControlPlane } from "@butler/api";
import { Cluster, isPaused, ownerName } from "@butler/api-external";
import type { ObserveContext } from "@butler/controller";
import { builtinKinds, type DynamicObject, isBeingDeleted } from "@butler/resource";
import { clusterSecretNames, type SecretSight, sharesAuthoritySecret } from "./exported-secrets.ts";
import { infrastructureToAsk } from "./infrastructure.ts";
import { adminSecretName, authoritySecretName } from "./names.ts";
import { infrastructureInput, type Observed } from "./plan.ts";
import type { ControlPlaneProviderPorts } from "./ports/control-plane-provider-ports.ts";

type Context = ObserveContext<typeof StewardControlPlane, ControlPlaneProviderPorts>;

/** Reads what the plan needs. */
export async function observe(context: Context): Promise<Observed> {
  const { primary, read } = context;
  const { name, namespace } = primary.metadata;
  const owner = ownerName(primary, Cluster);
  const cluster = owner && (read.get(Cluster, { name: owner, namespace }) as Cluster | undefined);
  const seen = {
    controlPlane: primary,
    cluster: cluster || undefined,
    tenant: read.get(TenantControlPlane, { name, namespace }),
    secrets: await readSecrets(context, owner),
  };
  return { ...seen, infrastructure: await readInfrastructure(context, seen) };
}

async function readSecrets(context: Context, clusterName: string | undefined): Promise<SecretSight> {
  const { primary, read } = context;
  const { name, namespace } = primary.metadata;
  const cached = (secretName: string) => read.get(builtinKinds.Secret, { name: secretName, namespace });
  const [admin, authority] = [cached(adminSecretName(name)), cached(authoritySecretName(name))];
  if (clusterName === undefined) {
    return { admin, authority, clusterKubeconfig: undefined, clusterAuthority: undefined };
  }
  const names = clusterSecretNames(clusterName);
  const isShared = sharesAuthoritySecret(primary, clusterName);
  return {
    admin,
    authority,
    clusterKubeconfig: await exported(context, { name: names.kubeconfig, source: admin }),
    clusterAuthority: isShared ? undefined : await exported(context, { name: names.authority, source: authority }),
  };
}

/**
 * One of Cluster API's Secrets. The cache holds only those with Steward's label, so before one is made it is made sure
 * that the name is free: the Secret may be a user's, which must not be overwritten.
 */
async function exported(
  { primary, read, ports, signal }: Context,
  { name, source }: { readonly name: string; readonly source: DynamicObject | undefined },
): Promise<DynamicObject | undefined> {
  const key = { name, namespace: primary.metadata.namespace };
  const cached = read.get(builtinKinds.Secret, key);
  if (cached !== undefined || source === undefined || isBeingDeleted(primary)) return cached;
  return ports.findSecret(key, signal);
}

async function readInfrastructure({ ports, signal }: Context, seen: Omit<Observed, "infrastructure">) {
  const { controlPlane, cluster } = seen;
  const input = infrastructureInput(seen);
  if (input === undefined || isBeingDeleted(controlPlane) || isPaused(controlPlane, cluster)) return undefined;
  const wanted = infrastructureToAsk(input);
  return wanted && ports.infrastructure.find(wanted.kind, wanted.key, signal);
}
