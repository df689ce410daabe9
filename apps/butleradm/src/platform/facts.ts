import type { DataStore, NetworkPool, TenantCluster, TenantControlPlane } from "@butler/api";
import type { Pod } from "@butler/api-external";
import type { Release } from "@butler/helm";
import type { DynamicObject, KubeObject } from "@butler/resource";

/** A certificate and its expiry. */
export interface CertificateExpiry {
  readonly what: string;
  readonly notAfter: string;
}

/** Something that could not be read, and why. */
export interface Unreadable {
  readonly what: string;
  readonly why: string;
}

/** All facts about a Butler installation at one point in time. */
export interface PlatformFacts {
  readonly now: Date;
  readonly namespace: string;
  readonly kubernetes: string;
  /** Helm revisions of Butler in the namespace. */
  readonly history: readonly Release[];
  readonly deployments: readonly DynamicObject[];
  readonly pods: readonly Pod[];
  readonly leases: readonly DynamicObject[];
  /** Every CustomResourceDefinition of the cluster that is Butler's or Cluster API's. */
  readonly definitions: readonly DynamicObject[];
  /** Validating and mutating configurations with Butler's names. */
  readonly webhooks: readonly DynamicObject[];
  /** Of webhooks and of the server. */
  readonly ownCertificates: readonly CertificateExpiry[];
  readonly clusters: readonly TenantCluster[];
  readonly controlPlanes: readonly TenantControlPlane[];
  readonly dataStores: readonly DataStore[];
  readonly pools: readonly NetworkPool[];
  readonly unreadable: readonly Unreadable[];
}

/** Additional facts for `doctor`. */
export interface DoctorFacts extends PlatformFacts {
  /** Objects of Butler's kinds, and namespaces, that are being deleted. */
  readonly leaving: readonly KubeObject[];
  /** Namespaces that Butler has created. */
  readonly namespaces: readonly KubeObject[];
  readonly teams: readonly string[];
  /** Failed add-ons, as text. */
  readonly failedAddons: readonly { readonly what: string; readonly message: string }[];
  /** Deployments of Cluster API and its providers. */
  readonly providers: readonly DynamicObject[];
  /** Error of the API server when it called each webhook; undefined for webhooks that answered. */
  readonly webhookAnswers: Readonly<Record<string, string | undefined>>;
  /** Why clusters are not ready, by their keys. */
  readonly causes: Readonly<
    Record<string, { readonly sentence: string; readonly nextStep: string; readonly isStuck: boolean }>
  >;
}
