import type { Plan } from "@butler/controller";
import { isBeingDeleted, type KubeObject } from "@butler/resource";
import type { PersistentVolume, PersistentVolumeClaim } from "../core-kinds.ts";

/** The name under which Kubernetes knows the maker of these volumes. */
export const provisioner = "butler.butlerlabs.dev/local-volume";

/** The default class of volumes on a local engine. */
export const storageClass: KubeObject = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "local", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
} as KubeObject;

const selectedNode = "volume.kubernetes.io/selected-node";

export interface ClaimObserved {
  readonly claim: PersistentVolumeClaim;
  /** The folder on the node that holds all volumes. */
  readonly folder: string;
}

export type ClaimEffect = { readonly type: "makeFolder"; readonly path: string };

/** Makes the volume of a claim once the scheduler has chosen the node. */
export function planClaim({ claim, folder }: ClaimObserved): Plan<ClaimEffect> {
  const node = claim.metadata.annotations?.[selectedNode];
  const { storageClassName, volumeName, accessModes, resources } = claim.spec;
  const isOurs = storageClassName === storageClass.metadata.name;
  const uid = claim.metadata.uid ?? "";
  if (isBeingDeleted(claim) || !isOurs || node === undefined) return { finalizer: "none" };
  if (volumeName !== undefined && volumeName !== `local-${uid}`) return { finalizer: "none" };
  const { name, namespace } = claim.metadata;
  const path = `${folder}/${namespace}-${name}-${uid}`;
  const volume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: `local-${uid}`,
      annotations: { "pv.kubernetes.io/provisioned-by": provisioner },
      // The claim must not take the volume along: what is in it is removed first.
      ownerReferences: [],
    },
    spec: {
      storageClassName,
      accessModes,
      capacity: { storage: resources?.requests?.["storage"] ?? "1Gi" },
      persistentVolumeReclaimPolicy: "Delete",
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid },
      // The kubelet gives such a volume to the pod's group, which it does not do with plain folders of the node.
      local: { path },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [node] }] },
          ],
        },
      },
    },
  };
  // Once it is bound the folder is somebody's data, and not to be made anew should it be gone.
  const effects: ClaimEffect[] = volumeName === undefined ? [{ type: "makeFolder", path }] : [];
  return { finalizer: "none", apply: [volume], effects };
}

export interface VolumeObserved {
  readonly volume: PersistentVolume;
  readonly folder: string;
}

export type VolumeEffect = { readonly type: "removeVolume"; readonly name: string; readonly path: string };

/** Removes the contents and then the object of a volume whose claim is gone. */
export function planVolume({ volume, folder }: VolumeObserved): Plan<VolumeEffect> {
  const path = volume.spec.local?.path ?? "";
  const isOurs = volume.metadata.annotations?.["pv.kubernetes.io/provisioned-by"] === provisioner;
  // Whoever may write volumes must not thereby remove other folders of the machine.
  const isBelow = path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes("/") && !path.includes("..");
  if (!isOurs || !isBelow || volume.status?.phase !== "Released") return { finalizer: "none" };
  return { finalizer: "none", effects: [{ type: "removeVolume", name: volume.metadata.name, path }] };
}
