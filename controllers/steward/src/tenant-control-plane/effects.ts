import type { KubeObject, ObjectKey, OwnerReference } from "@butler/resource";
import type { EtcdTenant } from "@butler/etcd";
import type { TenantSide } from "../tenant-side/index.ts";
import type { IssueSettings, SecretBlueprint } from "./secrets/secret-blueprint.ts";

/** A Secret that is to be made or made anew. */
export interface SecretOrder {
  readonly blueprint: SecretBlueprint;
  /** The Secret as it was seen; undefined when it is to be created. */
  readonly seen?: { readonly resourceVersion: string } | undefined;
  /** When new keys were asked for, the moment to note as the answer. */
  readonly rotatedAt?: string | undefined;
}

/** Makes Secrets, all at once but for those that have to wait for the one who signs them. */
export interface MakeSecrets {
  readonly type: "makeSecrets";
  readonly namespace: string;
  /** The control plane; it owns what is made. */
  readonly owner: OwnerReference;
  readonly issue: IssueSettings;
  readonly orders: readonly SecretOrder[];
  /** The tenant to set up in the store before the certificate for it is written; undefined when that is not needed. */
  readonly tenant?: EtcdTenant | undefined;
}

/** Brings the inside of a tenant into order and keeps it so. */
export interface KeepTenant {
  readonly type: "keepTenant";
  readonly uid: string;
  /** The Secret with the administrators' kubeconfigs. */
  readonly kubeconfigs: ObjectKey;
  /** `https://` address at which Steward itself reaches the API server. */
  readonly server: string;
  readonly objects: readonly KubeObject[];
  /** How certificate requests of nodes are decided. */
  readonly rules: Omit<TenantSide, "key" | "kubeconfig" | "objects">;
  /** Stands for all of the above together with the credentials. */
  readonly digest: string;
}

/** Leaves the inside of a tenant alone from now on. */
export interface ForgetTenant {
  readonly type: "forgetTenant";
  readonly uid: string;
}

/** Removes everything of a tenant from its store. */
export interface RemoveFromStore {
  readonly type: "removeFromStore";
  readonly uid: string;
  readonly dataStore: string;
  readonly tenant: EtcdTenant;
}

/** Everything that the controller does outside of its cluster's declarative objects. */
export type TenantControlPlaneEffect = MakeSecrets | KeepTenant | ForgetTenant | RemoveFromStore;
