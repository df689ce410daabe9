import type { TenantControlPlane } from "@butler/api";
import type { Pod } from "@butler/api-external";
import type { EtcdTenant } from "@butler/etcd";
import type { Kind, KubeObject } from "@butler/resource";
import type { Deployment } from "./kinds.ts";
import type { OwnEtcdSettings } from "./own-etcd.ts";
import type { StewardSettings } from "./ports/tenant-control-plane-ports.ts";
import type { SecretId } from "./secrets/secret-names.ts";
import type { SecretData } from "./secrets/secret-data.ts";

/** A Secret of a control plane as it is found. */
export interface SeenSecret {
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly data: SecretData;
  /** Whether this very control plane owns it, nobody does, or somebody else. */
  readonly ownership: "own" | "none" | "other";
  /** Whether somebody asked for new content. */
  readonly isRotationWanted: boolean;
  /** The DataStore that its certificate is for, if it is one for a store. */
  readonly dataStore?: string | undefined;
}

/** Something that is not as it should be, for a condition. */
export interface Trouble {
  /** One CamelCase word. */
  readonly reason: string;
  readonly message: string;
}

/** The store of a control plane as it is found. */
export interface SeenStore {
  /** The name of the DataStore. */
  readonly name: string;
  /** Undefined when there is no DataStore of that name. */
  readonly found?:
    | {
        readonly driver: string;
        /** `host:port` of each member. */
        readonly endpoints: readonly string[];
        /** How the etcd of the control plane's own is to be; undefined when it shares one with others. */
        readonly dedicated?: OwnEtcdSettings | undefined;
        /** The certificate of the store's authority; undefined when it cannot be read now. */
        readonly authority?: string | undefined;
        readonly trouble?: Trouble | undefined;
      }
    | undefined;
}

/** Everything the decision about a control plane is made from. */
export interface Observed {
  readonly tcp: TenantControlPlane;
  readonly settings: StewardSettings;
  readonly secrets: Readonly<Partial<Record<SecretId, SeenSecret>>>;
  readonly service: KubeObject | undefined;
  readonly deployment: Deployment | undefined;
  readonly pods: readonly Pod[];
  readonly store: SeenStore;
  /** Who the control plane is in its store. */
  readonly identity: EtcdTenant;
  /** Why another control plane has the host that this one asks for; undefined when none has. */
  readonly hostConflict?: string | undefined;
  /** Kinds of exposure that this cluster serves. */
  readonly servedKinds: readonly Kind[];
  /** The objects that expose the control plane, with the kind of each. */
  readonly exposedBy: readonly { readonly kind: Kind; readonly object: KubeObject }[];
  /** What the inside of the tenant is kept as by this process; undefined when it is not kept. */
  readonly keptAs: string | undefined;
  /** Whether there is an etcd of the control plane's own. */
  readonly hasOwnEtcd: boolean;
  /** Whether nothing of the control plane is left in its store, as far as this process knows. */
  readonly isStoreClean: boolean;
}
