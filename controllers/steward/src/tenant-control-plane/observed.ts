import type { TenantControlPlane } from "@butler/api";
import type { Pod } from "@butler/api-external";
import type { EtcdTenant } from "@butler/etcd";
import type { Blocker, Kind, KubeObject } from "@butler/resource";
import type { Deployment } from "./kinds.ts";
import type { OwnEtcdSettings } from "./own-etcd.ts";
import type { StewardSettings } from "./ports/tenant-control-plane-ports.ts";
import type { SecretId } from "./secrets/secret-names.ts";
import type { SecretData } from "./secrets/secret-data.ts";

/** An observed Secret of a control plane. */
export interface SeenSecret {
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly data: SecretData;
  /** Whether this control plane owns it, no one does, or another object does. */
  readonly ownership: "own" | "none" | "other";
  /** Whether a rotation was requested. */
  readonly isRotationWanted: boolean;
  /** The DataStore that its certificate was issued for, if it is a store client. */
  readonly dataStore?: string | undefined;
}

/** The observed store of a control plane. */
export interface SeenStore {
  /** The name of the DataStore. */
  readonly name: string;
  /** Undefined when the DataStore does not exist. */
  readonly found?:
    | {
        readonly driver: string;
        /** `host:port` of each member. */
        readonly endpoints: readonly string[];
        /** Settings of the dedicated etcd; undefined when the store is shared. */
        readonly dedicated?: OwnEtcdSettings | undefined;
        /** The CA certificate of the store; undefined when it cannot be read now. */
        readonly authority?: string | undefined;
        readonly blocker?: Blocker | undefined;
      }
    | undefined;
}

/** Everything that the plan of a control plane is based on. */
export interface Observed {
  readonly tcp: TenantControlPlane;
  readonly settings: StewardSettings;
  readonly secrets: Readonly<Partial<Record<SecretId, SeenSecret>>>;
  readonly service: KubeObject | undefined;
  readonly deployment: Deployment | undefined;
  readonly pods: readonly Pod[];
  readonly store: SeenStore;
  /** The identity of the control plane in its store. */
  readonly identity: EtcdTenant;
  /** The conflict message when another control plane has the hostname; undefined without a conflict. */
  readonly hostConflict?: string | undefined;
  /** Kinds of exposure that this cluster serves. */
  readonly servedKinds: readonly Kind[];
  /** The objects that expose the control plane, with the kind of each. */
  readonly exposedBy: readonly { readonly kind: Kind; readonly object: KubeObject }[];
  /** The digest of the tenant objects that this process reconciles; undefined when it does not. */
  readonly keptAs: string | undefined;
  /** Whether a dedicated etcd exists. */
  readonly hasOwnEtcd: boolean;
  /** Whether nothing of the control plane is left in its store, as far as this process knows. */
  readonly isStoreClean: boolean;
}
