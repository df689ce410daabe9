import type { EffectiveMachine, ProviderConfig, ProviderType, StewardControlPlane, TenantCluster } from "@butler/api";
import type { KubeadmConfigTemplate, KubeadmFile } from "@butler/api-external";
import type { Kind, KubeObject } from "@butler/resource";

/** An operating system that worker machines can run. */
export type OperatingSystem = EffectiveMachine["os"]["type"];

/** The input for rendering all objects of one tenant cluster. */
export interface ClusterInput {
  readonly cluster: TenantCluster;
  /** The namespace of the objects: the cluster's own on the management cluster. */
  readonly namespace: string;
  /** Set on every object. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** With its leading v. */
  readonly kubernetesVersion: string;
  readonly provider: ProviderConfig;
  /** The texts of the provider's credentials Secret; empty for a provider that needs none. */
  readonly credentials: Readonly<Record<string, string>>;
  /** SSH public key for the machines; undefined when not set. */
  readonly sshAuthorizedKey: string | undefined;
}

/** One pool of equal worker machines, with all fields set. */
export interface PoolInput {
  readonly name: string;
  readonly replicas: number;
  readonly machine: EffectiveMachine;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string | undefined; readonly effect: string }[];
}

/** What a provider adds to the bootstrap of its machines. */
export interface BootstrapParts {
  readonly files?: readonly KubeadmFile[];
  readonly preKubeadmCommands?: readonly string[];
  readonly postKubeadmCommands?: readonly string[];
  readonly nodeRegistration?: NonNullable<
    NonNullable<NonNullable<NonNullable<KubeadmConfigTemplate["spec"]>["template"]["spec"]>["joinConfiguration"]>
  >["nodeRegistration"];
}

/**
 * Renders clusters for one kind of infrastructure: pure functions from specs to objects. Templates have
 * no name yet: the caller derives it from their content, because Cluster API replaces machines when a template
 * with another name replaces the old one.
 */
export interface MachineProvider {
  readonly type: ProviderType;
  /** The supported ones; admission rejects all others. */
  readonly operatingSystems: readonly OperatingSystem[];
  /** Keys that the credentials Secret must have. */
  readonly credentialKeys: readonly string[];
  readonly clusterKind: Kind;
  readonly machineKind: Kind;
  readonly machineTemplateKind: Kind;
  /** What is missing or wrong for this cluster, each as a sentence; nothing can be created before they are fixed. */
  readonly faults: (input: ClusterInput) => readonly string[];
  /** The infrastructure cluster, with the cluster's name, followed by the objects that it needs. */
  readonly clusterObjects: (input: ClusterInput) => readonly KubeObject[];
  /** The spec of the machine template. */
  readonly machineTemplateSpec: (input: ClusterInput, pool: PoolInput) => Record<string, unknown>;
  /** The provider-specific part of the bootstrap; the common part belongs to the operating system. */
  readonly bootstrapParts: (input: ClusterInput, pool: PoolInput) => BootstrapParts;
  /** The Pod Security level of a cluster's namespace: control planes are restricted, machines that are pods are not. */
  readonly podSecurity: "restricted" | "privileged";
  /** Whether its images are ready to join; otherwise the operating system is prepared on the machine first. */
  readonly imagesAreReady: boolean;
  /** Settings of the add-ons that Steward puts into the cluster, where the provider needs some. */
  readonly controlPlaneAddons: (input: ClusterInput) => StewardControlPlane["spec"]["addons"];
}
