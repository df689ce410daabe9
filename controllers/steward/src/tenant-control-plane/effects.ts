import type { KubeObject, ObjectKey, OwnerReference } from "@butler/resource";
import type { EtcdTenant } from "@butler/etcd";
import type { TenantSide } from "../tenant-side/index.ts";
import type { IssueSettings, SecretBlueprint } from "./secrets/secret-blueprint.ts";

/** A Secret to create or recreate. */
export interface SecretOrder {
  readonly blueprint: SecretBlueprint;
  /** The observed Secret; undefined when it has to be created. */
  readonly seen?: { readonly resourceVersion: string } | undefined;
  /** The time to record for a requested rotation. */
  readonly rotatedAt?: string | undefined;
}

/** Creates Secrets concurrently, except those that have to wait for their signer. */
export interface MakeSecrets {
  readonly type: "makeSecrets";
  readonly namespace: string;
  /** The control plane, owner of the created Secrets. */
  readonly owner: OwnerReference;
  readonly issue: IssueSettings;
  readonly orders: readonly SecretOrder[];
  /** The tenant to set up in the store before the certificate for it is written; undefined when that is not needed. */
  readonly tenant?: EtcdTenant | undefined;
}

/** Reconciles the objects inside a tenant continuously. */
export interface KeepTenant {
  readonly type: "keepTenant";
  readonly uid: string;
  /** The Secret with the administrators' kubeconfigs. */
  readonly kubeconfigs: ObjectKey;
  /** `https://` address at which Steward itself reaches the API server. */
  readonly server: string;
  readonly objects: readonly KubeObject[];
  /** How certificate requests of nodes are approved. */
  readonly rules: Omit<TenantSide, "key" | "kubeconfig" | "objects">;
  /** A digest of all of the above and the credentials. */
  readonly digest: string;
}

/** Stops reconciling the objects inside a tenant. */
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
