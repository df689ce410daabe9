import type { StewardControlPlane } from "@butler/api";
import { caSecretName, clusterNameLabel, kubeconfigSecretName } from "@butler/api-external";
import type { Blocker, DynamicObject, KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { buildAuthoritySecret, buildKubeconfigSecret } from "./manifests.ts";
import { isControlledBy } from "./membership.ts";
import { authoritySecretName, defaultKubeconfigKey, kubeconfigKeyAnnotation } from "./names.ts";

/** The observed Secrets of a control plane. */
export interface SecretSight {
  /** The admin kubeconfigs that Steward created. */
  readonly admin: DynamicObject | undefined;
  /** The tenant CA that Steward created. */
  readonly authority: DynamicObject | undefined;
  /** The Secret in which Cluster API looks for the kubeconfig, whatever its owner. */
  readonly clusterKubeconfig: DynamicObject | undefined;
  /** The Secret in which Cluster API looks for the CA, whatever its owner. */
  readonly clusterAuthority: DynamicObject | undefined;
}

/** What to write for Cluster API, and what is still missing. */
export interface SecretExport {
  readonly apply: readonly KubeObject[];
  /** Undefined when both Secrets exist and are usable. */
  readonly blocker: Blocker | undefined;
  /** Whether one is blocked by an object that no watch reports. */
  readonly isBlocked: boolean;
}

interface ExportInput {
  readonly controlPlane: StewardControlPlane;
  /** The TenantControlPlane of the Secrets. */
  readonly tenant: KubeObject;
  readonly clusterName: string;
  readonly secrets: SecretSight;
}

interface OneExport {
  readonly apply?: KubeObject;
  readonly blocker?: Blocker | undefined;
  readonly isBlocked?: boolean;
}

/** Plans the Secrets for Cluster API. A Secret of another owner is never changed. */
export function exportSecrets(input: ExportInput): SecretExport {
  const exports = [exportKubeconfig(input), exportAuthority(input)];
  return {
    apply: exports.flatMap(({ apply }) => (apply === undefined ? [] : [apply])),
    blocker: exports.map(({ blocker }) => blocker).find((one) => one !== undefined),
    isBlocked: exports.some(({ isBlocked }) => isBlocked === true),
  };
}

/** Whether the tenant's CA Secret is the one that Cluster API reads. */
export function sharesAuthoritySecret({ metadata }: KubeObject, clusterName: string): boolean {
  return authoritySecretName(metadata.name) === caSecretName(clusterName);
}

/** A value of a Secret, in base64; undefined when it is missing or empty. */
export function secretValue(secret: DynamicObject | undefined, key: string): string | undefined {
  const value = isRecord(secret?.["data"]) ? secret["data"][key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function exportKubeconfig({ controlPlane, tenant, clusterName, secrets }: ExportInput): OneExport {
  const { admin, clusterKubeconfig: current } = secrets;
  if (current !== undefined && !isControlledBy(current, controlPlane)) return judgeForeign(current, "value");
  const key = tenant.metadata.annotations?.[kubeconfigKeyAnnotation] ?? defaultKubeconfigKey;
  const kubeconfig = secretValue(admin, key);
  const blocker = secretValue(current, "value") === undefined ? waitingFor("kubeconfig") : undefined;
  // Exported data stays while its source is missing: Steward recreates the source.
  if (kubeconfig === undefined) return { blocker };
  return { blocker, apply: buildKubeconfigSecret({ controlPlane, clusterName, kubeconfig }) };
}

function exportAuthority({ controlPlane, clusterName, secrets }: ExportInput): OneExport {
  const { authority, clusterAuthority: current } = secrets;
  if (sharesAuthoritySecret(controlPlane, clusterName)) return judgeShared(authority, clusterName);
  if (current !== undefined && !isControlledBy(current, controlPlane)) return judgeForeign(current, "tls.crt");
  const certificate = secretValue(authority, "tls.crt") ?? secretValue(authority, "ca.crt");
  const blocker = secretValue(current, "tls.crt") === undefined ? waitingFor("certificate authority") : undefined;
  if (certificate === undefined) return { blocker };
  return { blocker, apply: buildAuthoritySecret({ controlPlane, clusterName, certificate }) };
}

/** One Secret serves both, so only its creator writes it; here it is only checked for what Cluster API needs. */
function judgeShared(authority: DynamicObject | undefined, clusterName: string): OneExport {
  if (authority === undefined) return { blocker: waitingFor("certificate authority") };
  const isComplete = ["tls.crt", "tls.key"].every((key) => secretValue(authority, key) !== undefined);
  if (isComplete && authority.metadata.labels?.[clusterNameLabel] === clusterName) return {};
  const message = `Secret ${authority.metadata.name} must have the label ${clusterNameLabel}=${clusterName} and the keys tls.crt and tls.key`;
  return { blocker: { reason: "WaitingForAuthority", message } };
}

/** A Secret that a user created is intentional; one that a controller created is a conflict. */
function judgeForeign(secret: DynamicObject, key: string): OneExport {
  const { name, ownerReferences = [] } = secret.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (owner === undefined && secretValue(secret, key) !== undefined) return {};
  const whose = owner === undefined ? `lacks the key ${key}` : `belongs to ${owner.kind} ${owner.name}`;
  const message = `Secret ${name} already exists and ${whose}; rename the Cluster, or delete the Secret if it is not needed`;
  return { blocker: { reason: "SecretNameTaken", message }, isBlocked: true };
}

function waitingFor(what: string): Blocker {
  return { reason: "WaitingForCertificates", message: `waiting for the tenant's ${what}` };
}

/** The names of the two Secrets that Cluster API reads. */
export function clusterSecretNames(clusterName: string): { readonly kubeconfig: string; readonly authority: string } {
  return { kubeconfig: kubeconfigSecretName(clusterName), authority: caSecretName(clusterName) };
}
