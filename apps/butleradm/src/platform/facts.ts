import type { DataStore, NetworkPool, TenantCluster, TenantControlPlane } from "@butler/api";
import type { Pod } from "@butler/api-external";
import type { Release } from "@butler/helm";
import type { DynamicObject, KubeObject } from "@butler/resource";

/** A certificate, and what it is of. */
export interface CertificateExpiry {
  readonly what: string;
  readonly notAfter: string;
}

/** Something that could not be read, and why. */
export interface Unreadable {
  readonly what: string;
  readonly why: string;
}

/** Everything that is known about an installation of Butler, read at one moment. */
export interface PlatformFacts {
  readonly now: Date;
  readonly namespace: string;
  readonly kubernetes: string;
  /** Revisions of Butler that Helm remembers in the namespace. */
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

/** What `doctor` looks at beside that. */
export interface DoctorFacts extends PlatformFacts {
  /** Objects of Butler's kinds, and namespaces, that are on their way out. */
  readonly leaving: readonly KubeObject[];
  /** Namespaces that Butler has made. */
  readonly namespaces: readonly KubeObject[];
  readonly teams: readonly string[];
  /** Add-ons that have failed, as words. */
  readonly failedAddons: readonly { readonly what: string; readonly message: string }[];
  /** Deployments of Cluster API and its providers. */
  readonly providers: readonly DynamicObject[];
  /** What the API server said when it had to ask each webhook; undefined for one that answered. */
  readonly webhookAnswers: Readonly<Record<string, string | undefined>>;
  /** Why clusters are not ready, by their keys. */
  readonly causes: Readonly<
    Record<string, { readonly sentence: string; readonly nextStep: string; readonly isStuck: boolean }>
  >;
}
