import type { StewardControlPlane } from "@butler/api";
import { caSecretName, clusterNameLabel, kubeconfigSecretName } from "@butler/api-external";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { buildAuthoritySecret, buildKubeconfigSecret } from "./manifests.ts";
import { isControlledBy } from "./membership.ts";
import { authoritySecretName, defaultKubeconfigKey, kubeconfigKeyAnnotation } from "./names.ts";
import type { Trouble } from "./trouble.ts";

/** The Secrets that matter to a control plane, each as it is now. */
export interface SecretSight {
  /** The administrators' kubeconfigs, as Steward made them. */
  readonly admin: DynamicObject | undefined;
  /** The tenant's own authority, as Steward made it. */
  readonly authority: DynamicObject | undefined;
  /** The Secret in which Cluster API looks for the kubeconfig, whoever made it. */
  readonly clusterKubeconfig: DynamicObject | undefined;
  /** The Secret in which Cluster API looks for the authority, whoever made it. */
  readonly clusterAuthority: DynamicObject | undefined;
}

/** What is to be written for Cluster API, and whether it has what it needs already. */
export interface SecretExport {
  readonly apply: readonly KubeObject[];
  /** Undefined when both Secrets are there and of use. */
  readonly trouble: Trouble | undefined;
  /** Whether one is held up by something that nobody will tell us about. */
  readonly isBlocked: boolean;
}

interface ExportInput {
  readonly controlPlane: StewardControlPlane;
  /** The TenantControlPlane that the Secrets are of. */
  readonly tenant: KubeObject;
  readonly clusterName: string;
  readonly secrets: SecretSight;
}

interface OneExport {
  readonly apply?: KubeObject;
  readonly trouble?: Trouble;
  readonly isBlocked?: boolean;
}

/** Decides what Cluster API's Secrets should hold. A Secret that is somebody else's is never touched. */
export function exportSecrets(input: ExportInput): SecretExport {
  const exports = [exportKubeconfig(input), exportAuthority(input)];
  return {
    apply: exports.flatMap(({ apply }) => (apply === undefined ? [] : [apply])),
    trouble: exports.map(({ trouble }) => trouble).find((trouble) => trouble !== undefined),
    isBlocked: exports.some(({ isBlocked }) => isBlocked === true),
  };
}

/** Whether the tenant's own authority Secret is the very one in which Cluster API looks. */
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
  const trouble = secretValue(current, "value") === undefined ? { trouble: waitingFor("kubeconfig") } : {};
  // What is exported stays when its source is missing for a moment: Steward makes the source again.
  if (kubeconfig === undefined) return trouble;
  return { ...trouble, apply: buildKubeconfigSecret({ controlPlane, clusterName, kubeconfig }) };
}

function exportAuthority({ controlPlane, clusterName, secrets }: ExportInput): OneExport {
  const { authority, clusterAuthority: current } = secrets;
  if (sharesAuthoritySecret(controlPlane, clusterName)) return judgeShared(authority, clusterName);
  if (current !== undefined && !isControlledBy(current, controlPlane)) return judgeForeign(current, "tls.crt");
  const certificate = secretValue(authority, "tls.crt") ?? secretValue(authority, "ca.crt");
  const trouble = secretValue(current, "tls.crt") === undefined ? { trouble: waitingFor("certificate authority") } : {};
  if (certificate === undefined) return trouble;
  return { ...trouble, apply: buildAuthoritySecret({ controlPlane, clusterName, certificate }) };
}

/** One Secret serves both, so only its maker writes it; whether Cluster API will find what it needs there is checked. */
function judgeShared(authority: DynamicObject | undefined, clusterName: string): OneExport {
  if (authority === undefined) return { trouble: waitingFor("certificate authority") };
  const isComplete = ["tls.crt", "tls.key"].every((key) => secretValue(authority, key) !== undefined);
  if (isComplete && authority.metadata.labels?.[clusterNameLabel] === clusterName) return {};
  const message = `Secret ${authority.metadata.name} needs the label ${clusterNameLabel}=${clusterName} and the keys tls.crt and tls.key`;
  return { trouble: { reason: "WaitingForAuthority", message } };
}

/** A Secret that a person has put there is taken for what they want; one that a controller has made is a collision. */
function judgeForeign(secret: DynamicObject, key: string): OneExport {
  const { name, ownerReferences = [] } = secret.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (owner === undefined && secretValue(secret, key) !== undefined) return {};
  const whose = owner === undefined ? `lacks the key ${key}` : `belongs to ${owner.kind} ${owner.name}`;
  const message = `Secret ${name} exists and ${whose}; rename the Cluster, or delete the Secret if nobody needs it`;
  return { trouble: { reason: "SecretNameTaken", message }, isBlocked: true };
}

function waitingFor(what: string): Trouble {
  return { reason: "WaitingForCertificates", message: `the ${what} of the tenant is not there yet` };
}

/** The names of the two Secrets in which Cluster API looks. */
export function clusterSecretNames(clusterName: string): { readonly kubeconfig: string; readonly authority: string } {
  return { kubeconfig: kubeconfigSecretName(clusterName), authority: caSecretName(clusterName) };
}
