import type { Plan } from "@butler/controller";
import { isBeingDeleted, type KubeObject } from "@butler/resource";
import type { PersistentVolume, PersistentVolumeClaim } from "../core-kinds.ts";

/** The provisioner name of these volumes. */
export const provisioner = "butler.butlerlabs.dev/local-volume";

/** The default StorageClass of a local engine. */
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
  /** The parent directory of all volumes on the node. */
  readonly folder: string;
}

export type ClaimEffect = { readonly type: "makeFolder"; readonly path: string };

/** Creates the volume of a claim once the scheduler has chosen the node. */
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
      // The volume must not be deleted with the claim: its contents are deleted first.
      ownerReferences: [],
    },
    spec: {
      storageClassName,
      accessModes,
      capacity: { storage: resources?.requests?.["storage"] ?? "1Gi" },
      persistentVolumeReclaimPolicy: "Delete",
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid },
      // The kubelet applies the pod's fsGroup to such a volume, unlike to hostPath volumes.
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
  // Once the volume is bound, the directory holds user data and must not be recreated if it is missing.
  const effects: ClaimEffect[] = volumeName === undefined ? [{ type: "makeFolder", path }] : [];
  return { finalizer: "none", apply: [volume], effects };
}

export interface VolumeObserved {
  readonly volume: PersistentVolume;
  readonly folder: string;
}

export type VolumeEffect = { readonly type: "removeVolume"; readonly name: string; readonly path: string };

/** Deletes the contents and then the object of a volume whose claim was deleted. */
export function planVolume({ volume, folder }: VolumeObserved): Plan<VolumeEffect> {
  const path = volume.spec.local?.path ?? "";
  const isOurs = volume.metadata.annotations?.["pv.kubernetes.io/provisioned-by"] === provisioner;
  // A user who may write volumes must not be able to delete other directories of the machine.
  const isBelow = path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes("/") && !path.includes("..");
  if (!isOurs || !isBelow || volume.status?.phase !== "Released") return { finalizer: "none" };
  return { finalizer: "none", effects: [{ type: "removeVolume", name: volume.metadata.name, path }] };
}
