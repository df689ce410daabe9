import { defineResource, openObject, type ObjectOf } from "@butler/resource";
import { z } from "zod";

/** The fields of a Service for address assignment. Kubernetes itself defines the kind. */
export const Service = defineResource({
  group: "",
  version: "v1",
  kind: "Service",
  scope: "Namespaced",
  doc: "Kubernetes Service.",
  spec: z.looseObject({ type: z.string().optional(), loadBalancerClass: z.string().optional() }),
  status: z.looseObject({
    loadBalancer: z
      .looseObject({ ingress: z.array(z.looseObject({ ip: z.string().optional() })).optional() })
      .optional(),
  }),
  example: {},
});
export type Service = ObjectOf<typeof Service>;

/** The fields of a PersistentVolumeClaim for provisioning. */
export const PersistentVolumeClaim = defineResource({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  scope: "Namespaced",
  doc: "Kubernetes PersistentVolumeClaim.",
  spec: z.looseObject({
    storageClassName: z.string().optional(),
    volumeName: z.string().optional(),
    accessModes: z.array(z.string()).optional(),
    resources: z.looseObject({ requests: z.record(z.string(), z.string()).optional() }).optional(),
  }),
  example: {},
});
export type PersistentVolumeClaim = ObjectOf<typeof PersistentVolumeClaim>;

/** The fields of a PersistentVolume for deletion. */
export const PersistentVolume = defineResource({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  scope: "Cluster",
  doc: "Kubernetes PersistentVolume.",
  spec: z.looseObject({
    storageClassName: z.string().optional(),
    local: z.object({ path: z.string() }).optional(),
    claimRef: openObject<{ namespace: string; name: string; uid: string }>().optional(),
  }),
  example: {},
});
export type PersistentVolume = ObjectOf<typeof PersistentVolume> & { status?: { phase?: string } };
