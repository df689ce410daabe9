import { isBeingDeleted, type KubeObject } from "@butler/resource";
import { readinessByConditions } from "./any-kind.ts";
import { groupOf, numberAt } from "./fields.ts";
import { podReadiness } from "./pod.ts";
import { progressing, type Readiness, ready } from "./readiness.ts";
import { apiServiceReadiness, definitionReadiness, namespaceReadiness, serviceReadiness } from "./services.ts";
import { claimReadiness } from "./storage.ts";
import {
  daemonSetReadiness,
  deploymentReadiness,
  jobReadiness,
  replicaSetReadiness,
  statefulSetReadiness,
} from "./workloads.ts";

type Judge = (object: KubeObject) => Readiness;

const judges: Readonly<Record<string, Judge>> = {
  "apps/Deployment": deploymentReadiness,
  "apps/ReplicaSet": replicaSetReadiness,
  "apps/StatefulSet": statefulSetReadiness,
  "apps/DaemonSet": daemonSetReadiness,
  "batch/Job": jobReadiness,
  "/Pod": podReadiness,
  "/PersistentVolumeClaim": (object) => claimReadiness(object),
  "/Service": serviceReadiness,
  "/Namespace": namespaceReadiness,
  "apiextensions.k8s.io/CustomResourceDefinition": definitionReadiness,
  "apiregistration.k8s.io/APIService": apiServiceReadiness,
};

/**
 * Kinds that are ready once they exist. Some have a status that is about other objects: a budget's about the pods it
 * guards, an autoscaler's about metrics that a later add-on may provide, an Ingress's about an address that many never
 * get.
 */
const readyByExisting: ReadonlySet<string> = new Set([
  ...["ConfigMap", "Secret", "ServiceAccount", "Endpoints", "LimitRange", "ResourceQuota", "PodTemplate"].map(
    (kind) => `/${kind}`,
  ),
  ...["Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"].map((kind) => `rbac.authorization.k8s.io/${kind}`),
  ...["Ingress", "IngressClass", "NetworkPolicy"].map((kind) => `networking.k8s.io/${kind}`),
  ...[
    "ValidatingWebhookConfiguration",
    "MutatingWebhookConfiguration",
    "ValidatingAdmissionPolicyBinding",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
  ].map((kind) => `admissionregistration.k8s.io/${kind}`),
  ...["StorageClass", "CSIDriver", "CSINode", "VolumeAttributesClass"].map((kind) => `storage.k8s.io/${kind}`),
  "batch/CronJob",
  "policy/PodDisruptionBudget",
  "autoscaling/HorizontalPodAutoscaler",
  "scheduling.k8s.io/PriorityClass",
  "node.k8s.io/RuntimeClass",
  "discovery.k8s.io/EndpointSlice",
  "coordination.k8s.io/Lease",
]);

const idOf = (object: Pick<KubeObject, "apiVersion" | "kind">): string => `${groupOf(object)}/${object.kind}`;

/** Whether objects of a kind are ready as soon as they exist, so that nothing but their metadata needs to be read. */
export function isReadyByExisting(object: Pick<KubeObject, "apiVersion" | "kind">): boolean {
  return readyByExisting.has(idOf(object));
}

/** The readiness of an object, from its own fields alone. Every kind gets a verdict, whether known here or not. */
export function readinessOf(object: KubeObject): Readiness {
  if (isBeingDeleted(object)) return progressing("being deleted");
  if (isReadyByExisting(object)) return ready("exists");
  const seen = numberAt(object, "status", "observedGeneration");
  const { generation = 0 } = object.metadata;
  const judge = judges[idOf(object)];
  // Kubernetes' own controllers always set observedGeneration; for other kinds it counts only when set.
  const isUnseen = seen === undefined ? statesObservedGeneration.has(idOf(object)) : seen < generation;
  if (isUnseen) return progressing("latest spec not observed yet");
  return (judge ?? readinessByConditions)(object);
}

const statesObservedGeneration: ReadonlySet<string> = new Set(
  ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"].map((kind) => `apps/${kind}`),
);
