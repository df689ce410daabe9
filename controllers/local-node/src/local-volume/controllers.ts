import { mkdir, rm } from "node:fs/promises";
import { defineController } from "@butler/controller";
import type { KubeClient } from "@butler/kube";
import { NotFound } from "@butler/std";
import { PersistentVolume, PersistentVolumeClaim } from "../core-kinds.ts";
import {
  type ClaimEffect,
  type ClaimObserved,
  planClaim,
  planVolume,
  type VolumeEffect,
  type VolumeObserved,
} from "./plan.ts";

/** What the controllers are told at the start. */
export interface LocalVolumePorts {
  /** The folder on this machine that holds all volumes. */
  readonly volumeFolder: string;
  readonly client: KubeClient;
}

/** Makes a folder into a volume for each claim of the class `local`. */
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

/** Removes volumes whose claims are gone, with what is in them. */
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
      await client.delete(PersistentVolume, { name }).catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      });
    },
  },
});
