import type { ObjectMeta } from "@butler/resource";
import { labelsOf, stewardDomain } from "../names.ts";

export { labelsOf, nameLabel, ofSteward, pausedAnnotation, projectLabel } from "../names.ts";

/** The label of Secrets with expiring certificates: `x509` or `kubeconfig`. */
export const lifecycleLabel = `${stewardDomain}/certificate_lifecycle_controller`;

/** The annotation on a Secret that requests a rotation (empty), and then holds its time (RFC 3339). */
export const rotateAnnotation = `certs.${stewardDomain}/rotate`;
/** The annotation by which a user abandons the data of a control plane whose store is unreachable. */
export const abandonDataStoreAnnotation = `${stewardDomain}/abandon-data-store`;
/** The annotation of a Secret with the DataStore of its certificate. */
export const dataStoreAnnotation = `${stewardDomain}/data-store`;
/** The prefix of pod annotations with the digests of mounted content. */
export const checksumPrefix = `checksum.${stewardDomain}/`;

/** The finalizer that is kept until the data of a control plane is deleted from its store. */
export const dataStoreFinalizer = `finalizer.${stewardDomain}/data-store`;

/** The three programs of a control plane, which are also the names of their containers. */
export const componentNames = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;
export type ComponentName = (typeof componentNames)[number];

export interface PartName {
  readonly component: string;
  /** The suffix after the control plane's name; none by default. */
  readonly suffix?: string;
}

/** The metadata of an object of a control plane. */
export function partMetadata({ name, namespace }: ObjectMeta, { component, suffix = "" }: PartName): ObjectMeta {
  return { name: `${name}${suffix}`, namespace, labels: labelsOf(name, component) };
}
