import type { ObjectMeta } from "@butler/resource";
import { labelsOf, stewardDomain } from "../names.ts";

export { labelsOf, nameLabel, ofSteward, pausedAnnotation, projectLabel } from "../names.ts";

/** The label of Secrets whose certificates end: `x509` or `kubeconfig`. */
export const lifecycleLabel = `${stewardDomain}/certificate_lifecycle_controller`;

/** The annotation on a Secret that asks for new content (empty), and then says when it came (RFC 3339). */
export const rotateAnnotation = `certs.${stewardDomain}/rotate`;
/** The annotation by which a person gives up the data of a control plane whose store cannot be reached any more. */
export const abandonDataStoreAnnotation = `${stewardDomain}/abandon-data-store`;
/** The annotation of a Secret that says which DataStore its certificate is for. */
export const dataStoreAnnotation = `${stewardDomain}/data-store`;
/** The prefix of annotations of the pods that say which content they were started with. */
export const checksumPrefix = `checksum.${stewardDomain}/`;

/** The finalizer that is held until nothing of a control plane is left in its store. */
export const dataStoreFinalizer = `finalizer.${stewardDomain}/data-store`;

/** The three programs of a control plane, which are also the names of their containers. */
export const componentNames = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;
export type ComponentName = (typeof componentNames)[number];

export interface PartName {
  readonly component: string;
  /** What follows the control plane's name in that of the object; nothing when left out. */
  readonly suffix?: string;
}

/** The metadata of an object of a control plane. */
export function partMetadata({ name, namespace }: ObjectMeta, { component, suffix = "" }: PartName): ObjectMeta {
  return { name: `${name}${suffix}`, namespace, labels: labelsOf(name, component) };
}
