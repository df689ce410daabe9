import type { ObjectMeta } from "@butler/resource";

const domain = "steward.butlerlabs.dev";

/** The label that everything of Steward's carries. */
export const projectLabel = `${domain}/project`;
/** The label that says which control plane an object belongs to; the pods are found by it. */
export const nameLabel = `${domain}/name`;
/** The label that says which part of a control plane an object is. */
export const componentLabel = `${domain}/component`;
/** The label of Secrets whose certificates end: `x509` or `kubeconfig`. */
export const lifecycleLabel = `${domain}/certificate_lifecycle_controller`;

/** Selects everything of Steward's; nobody else's Secrets and pods need be kept in memory. */
export const ofSteward = { labelSelector: `${projectLabel}=steward` };

/** The annotation whose mere presence makes Steward leave a control plane alone. */
export const pausedAnnotation = `${domain}/paused`;
/** The annotation on a Secret that asks for new content (empty), and then says when it came (RFC 3339). */
export const rotateAnnotation = "certs.steward.butlerlabs.dev/rotate";
/** The annotation by which a person gives up the data of a control plane whose store cannot be reached any more. */
export const abandonDataStoreAnnotation = `${domain}/abandon-data-store`;
/** The annotation of a Secret that says which DataStore its certificate is for. */
export const dataStoreAnnotation = `${domain}/data-store`;
/** The prefix of annotations of the pods that say which content they were started with. */
export const checksumPrefix = `checksum.${domain}/`;

/** The finalizer that is held until nothing of a control plane is left in its store. */
export const dataStoreFinalizer = `finalizer.${domain}/data-store`;

/** The three programs of a control plane, which are also the names of their containers. */
export const componentNames = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;
export type ComponentName = (typeof componentNames)[number];

/** The labels of an object of a control plane. */
export function labelsOf(controlPlane: string, component: string): Record<string, string> {
  return { [projectLabel]: "steward", [nameLabel]: controlPlane, [componentLabel]: component };
}

export interface PartName {
  readonly component: string;
  /** What follows the control plane's name in that of the object; nothing when left out. */
  readonly suffix?: string;
}

/** The metadata of an object of a control plane. */
export function partMetadata({ name, namespace }: ObjectMeta, { component, suffix = "" }: PartName): ObjectMeta {
  return { name: `${name}${suffix}`, namespace, labels: labelsOf(name, component) };
}
