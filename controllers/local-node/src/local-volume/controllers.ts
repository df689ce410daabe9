import { mkdir, rm } from "node:fs/promises";
import { defineController } from "@butler/controller";
import type { KubeClient } from "@butler/kube";
import { ignoreNotFound } from "@butler/std";
import { PersistentVolume, PersistentVolumeClaim } from "../core-kinds.ts";
import {
  type ClaimEffect,
  type ClaimObserved,
  planClaim,
  planVolume,
  type VolumeEffect,
  type VolumeObserved,
} from "./plan.ts";

/** Settings of the controllers. */
export interface LocalVolumePorts {
  /** The parent directory of all volumes on this machine. */
  readonly volumeFolder: string;
  readonly client: KubeClient;
}

/** Provisions a directory as a volume for each claim of the class `local`. */
export const localClaimController = defineController<
  typeof PersistentVolumeClaim,
  ClaimObserved,
  ClaimEffect,
  LocalVolumePorts
>({
  name: "local-claim",
  primary: PersistentVolumeClaim,
  owns: [{ kind: PersistentVolume }],
  observe: ({ primary, ports }) => ({ claim: primary, folder: ports.volumeFolder }),
  plan: planClaim,
  perform: { makeFolder: async ({ path }) => void (await mkdir(path, { recursive: true, mode: 0o755 })) },
});

/** Deletes volumes whose claims were deleted, with their contents. */
export const localVolumeController = defineController<
  typeof PersistentVolume,
  VolumeObserved,
  VolumeEffect,
  LocalVolumePorts
>({
  name: "local-volume",
  primary: PersistentVolume,
  permissions: [{ apiGroups: [""], resources: ["persistentvolumes"], verbs: ["delete"] }],
  observe: ({ primary, ports }) => ({ volume: primary, folder: ports.volumeFolder }),
  plan: planVolume,
  perform: {
    removeVolume: async ({ name, path }, { client }) => {
      await rm(path, { recursive: true, force: true });
      await client.delete(PersistentVolume, { name }).catch(ignoreNotFound);
    },
  },
});
