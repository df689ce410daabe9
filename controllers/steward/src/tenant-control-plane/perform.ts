import type { Performers } from "@butler/controller";
import type { CertificatePair } from "@butler/pki";
import { keyText } from "@butler/resource";
import { ButlerError, Conflict, Unavailable } from "@butler/std";
import type { MakeSecrets, RemoveFromStore, SecretOrder, TenantControlPlaneEffect } from "./effects.ts";
import {
  abandonDataStoreAnnotation,
  dataStoreAnnotation,
  labelsOf,
  lifecycleLabel,
  rotateAnnotation,
} from "./names.ts";
import type { TenantControlPlanePorts } from "./ports/tenant-control-plane-ports.ts";
import { judgeSecret } from "./secrets/judge-secret.ts";
import { makeSecretData } from "./secrets/make-secret-data.ts";
import type { SecretBlueprint, SecretContent } from "./secrets/secret-blueprint.ts";
import type { SecretId } from "./secrets/secret-names.ts";
import { pairIn, type SecretData, textIn, withServer } from "./secrets/secret-data.ts";

/** Performs the effects of the plans. */
export const performers: Performers<TenantControlPlaneEffect, TenantControlPlanePorts> = {
  makeSecrets,
  removeFromStore,
  keepTenant: async (effect, { vault, tenants }, signal) => {
    const data = vault.read(effect.kubeconfigs);
    const kubeconfig = data && textIn(data, "super-admin.conf");
    if (kubeconfig === undefined) throw new Conflict(`Secret ${keyText(effect.kubeconfigs)} contains no kubeconfig`);
    await tenants.keep(effect, { kubeconfig: withServer(kubeconfig, effect.server), signal });
  },
  forgetTenant: ({ uid }, { tenants }) => tenants.forget(uid),
};

/**
 * Creates Secrets concurrently. A certificate waits until its signer is written, so that it is signed by the stored CA.
 * Each is attempted regardless of failures of the others.
 */
async function makeSecrets(effect: MakeSecrets, ports: TenantControlPlanePorts, signal: AbortSignal): Promise<void> {
  const written = new Map<SecretId, Promise<SecretData>>();
  for (const order of effect.orders) {
    const made = makeSecret(effect, order, { ports, signal, written });
    // Awaiting callers see the failure too; handling it here keeps it from being reported as unhandled.
    made.catch(() => undefined);
    written.set(order.blueprint.id, made);
  }
  const results = await Promise.allSettled(written.values());
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

interface Making {
  readonly ports: TenantControlPlanePorts;
  readonly signal: AbortSignal;
  readonly written: ReadonlyMap<SecretId, Promise<SecretData>>;
}

async function makeSecret(effect: MakeSecrets, order: SecretOrder, making: Making): Promise<SecretData> {
  const { ports, signal } = making;
  const { namespace, owner, issue } = effect;
  const { blueprint, seen, rotatedAt } = order;
  const key = { name: blueprint.name, namespace };
  const signer = await signerOf(effect, blueprint.content, making);
  // A requested rotation must not reuse the old keys.
  const present = rotatedAt === undefined ? ports.vault.read(key) : undefined;
  const now = ports.now();
  const data = await makeSecretData(blueprint.content, { issue, now, signer, present });
  const written = await ports.vault.write(
    {
      ...key,
      type: blueprint.type ?? "Opaque",
      labels: { ...secretLabels(owner.name, blueprint), ...blueprint.labels },
      annotations: secretAnnotations(order),
      owner,
      data,
      replaces: seen?.resourceVersion,
    },
    signal,
  );
  // A Secret that a webhook mutates on write would otherwise be recreated in a hot loop.
  const { fault } = judgeSecret(blueprint.content, written, { authority: signer?.cert, now });
  if (fault !== undefined) throw new Conflict(`Secret ${keyText(key)} was stored with different content: ${fault}`);
  return written;
}

async function signerOf(
  { namespace, tenant }: MakeSecrets,
  content: SecretContent,
  { ports, signal, written }: Making,
): Promise<CertificatePair | undefined> {
  const signer = "signer" in content ? content.signer : undefined;
  if (content.kind === "storeClient" && signer === undefined) {
    const { dataStore } = content;
    const [authority] = await Promise.all([
      ports.stores.authority(dataStore, signal),
      tenant === undefined ? undefined : ports.stores.ensure(dataStore, tenant, signal),
    ]);
    return authority;
  }
  if (signer === undefined) return undefined;
  const data = (await written.get(signer.id)) ?? ports.vault.read({ name: signer.name, namespace });
  if (data === undefined) throw new Conflict(`CA Secret ${signer.name} not found`);
  return pairIn(data, signer.files);
}

function secretLabels(controlPlane: string, { component, content }: SecretBlueprint): Record<string, string> {
  const labels = labelsOf(controlPlane, component);
  if (content.kind === "signingKey") return labels;
  return { ...labels, [lifecycleLabel]: content.kind === "kubeconfigs" ? "kubeconfig" : "x509" };
}

function secretAnnotations({ blueprint: { content }, rotatedAt }: SecretOrder): Record<string, string> {
  return {
    ...(content.kind === "storeClient" ? { [dataStoreAnnotation]: content.dataStore } : {}),
    ...(rotatedAt === undefined ? {} : { [rotateAnnotation]: rotatedAt }),
  };
}

async function removeFromStore(
  { uid, dataStore, tenant }: RemoveFromStore,
  { stores, cleanedStores }: TenantControlPlanePorts,
  signal: AbortSignal,
): Promise<void> {
  try {
    await stores.remove(dataStore, tenant, signal);
  } catch (error) {
    const hint = error instanceof ButlerError ? (error.hint ?? "") : "";
    throw new Unavailable(`the data in DataStore ${dataStore} cannot be deleted`, {
      cause: error,
      hint: `${hint} Steward retries until it succeeds; to abandon the data, set the annotation ${abandonDataStoreAnnotation}=true.`.trim(),
    });
  }
  cleanedStores.add(uid);
}
