import type { ApiClient, KubeClient } from "@butler/kube";
import { readTenantKubeconfig } from "@butler/kube";
import { builtinKinds, controllerReference, type DynamicObject, type Kind, type ObjectKey } from "@butler/resource";
import { type Clock, isRecord, ignoreNotFound, sleep, Timeout, Unavailable } from "@butler/std";
import { notThere } from "../handlers/cluster-details.ts";
import {
  kubeconfigSecret,
  tenantAccess,
  tenantAccountNamespace,
  terminalName,
  terminalNamespace,
  terminalPod,
  terminalPolicy,
  type TerminalImage,
} from "./manifests.ts";
import { terminalTimes, type TerminalRecord } from "./terminal.ts";

const { ServiceAccount, ClusterRoleBinding, Secret, Pod, NetworkPolicy } = builtinKinds;

/** Where terminals are created. */
export interface TerminalPlace {
  readonly client: ApiClient;
  readonly tenants: { clientFor(key: ObjectKey, signal: AbortSignal): Promise<KubeClient> };
  readonly image: TerminalImage;
  readonly clock: Clock;
}

/** Creates all objects of a terminal: the account in the tenant first, the pod last. */
export async function makeTerminal(
  place: TerminalPlace,
  { id, record }: { readonly id: string; readonly record: TerminalRecord },
  signal: AbortSignal,
): Promise<void> {
  const { client, tenants, image } = place;
  const tenant = readTenantKubeconfig(await kubeconfigText(client, record.tenant, signal));
  const inTenant = await tenants.clientFor(record.tenant, signal);
  const [account, binding] = tenantAccess(id, record);
  if (account !== undefined) await inTenant.create(ServiceAccount, account, { signal });
  if (binding !== undefined) await inTenant.create(ClusterRoleBinding, binding, { signal });
  const token = await tokenFor(inTenant, id, signal);
  const secret = await client.create(Secret, kubeconfigSecret(id, tenant, token), { signal });
  // The Secret owns everything else, so that deleting it deletes all.
  const owned = (object: DynamicObject): DynamicObject => ({
    ...object,
    metadata: { ...object.metadata, ownerReferences: [{ ...controllerReference(secret), controller: false }] },
  });
  // Create the NetworkPolicy before the pod.
  await client.create(NetworkPolicy, owned(terminalPolicy(id, tenant)), { signal });
  await client.create(Pod, owned(terminalPod(id, image)), { signal });
}

/** Deletes all objects, the pod first; missing objects are not an error. */
export async function unmakeTerminal(
  { client, tenants }: TerminalPlace,
  { id, record }: { readonly id: string; readonly record: TerminalRecord },
  signal: AbortSignal,
): Promise<void> {
  const name = terminalName(id);
  const own: readonly Kind[] = [Pod, Secret, NetworkPolicy];
  for (const kind of own) await removed(client, { kind, key: { name, namespace: terminalNamespace } }, signal);
  const hasTenant = (await client.find(Secret, record.tenant, signal)) !== undefined;
  // Without its kubeconfig the tenant no longer exists, nor does the account.
  if (!hasTenant) return;
  const inTenant = await tenants.clientFor(record.tenant, signal);
  await removed(inTenant, { kind: ClusterRoleBinding, key: { name } }, signal);
  await removed(inTenant, { kind: ServiceAccount, key: { name, namespace: tenantAccountNamespace } }, signal);
}

/** Waits until the pod of a terminal is running. */
export async function awaitPod({ client, clock }: TerminalPlace, id: string, signal: AbortSignal): Promise<void> {
  const key = { name: terminalName(id), namespace: terminalNamespace };
  const untilMs = clock.monotonicMs() + 30_000;
  for (;;) {
    const pod = await client.get(Pod, key, signal);
    const status: unknown = pod["status"];
    const phase = isRecord(status) ? status["phase"] : undefined;
    if (phase === "Running") return;
    if (phase === "Failed" || phase === "Succeeded") throw new Unavailable("the terminal pod has exited");
    if (clock.monotonicMs() > untilMs) throw new Timeout("timed out waiting for the terminal pod to start");
    await sleep(clock, 100, signal);
  }
}

async function tokenFor(tenant: KubeClient, id: string, signal: AbortSignal): Promise<string> {
  const request: DynamicObject = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name: terminalName(id), namespace: tenantAccountNamespace },
    spec: { expirationSeconds: terminalTimes.lifeSeconds },
  };
  const made = await tenant.create(ServiceAccount, request, { subresource: "token", signal });
  const status: unknown = made["status"];
  if (isRecord(status) && typeof status["token"] === "string") return status["token"];
  throw new Unavailable("the TokenRequest response for the terminal has no token");
}

async function kubeconfigText(client: ApiClient, key: ObjectKey, signal: AbortSignal): Promise<string> {
  const secret = await client.find(Secret, key, signal);
  if (secret === undefined) throw notThere();
  const { data } = secret;
  const value = isRecord(data) ? data["value"] : undefined;
  return typeof value === "string" ? Buffer.from(value, "base64").toString() : "";
}

async function removed(
  client: Pick<KubeClient, "delete">,
  { kind, key }: { readonly kind: Kind; readonly key: ObjectKey },
  signal: AbortSignal,
): Promise<void> {
  await client.delete(kind, key, { signal }).catch(ignoreNotFound);
}
