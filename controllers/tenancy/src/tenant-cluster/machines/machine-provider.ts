import type { EffectiveMachine, ProviderConfig, ProviderType, StewardControlPlane, TenantCluster } from "@butler/api";
import type { KubeadmConfigTemplate, KubeadmFile } from "@butler/api-external";
import type { Kind, KubeObject } from "@butler/resource";

/** An operating system that worker machines can run. */
export type OperatingSystem = EffectiveMachine["os"]["type"];

/** What all objects of one tenant cluster are made from. */
export interface ClusterInput {
  readonly cluster: TenantCluster;
  /** The namespace of the objects: the cluster's own on the management cluster. */
  readonly namespace: string;
  /** Carried by every object. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** With its leading v. */
  readonly kubernetesVersion: string;
  readonly provider: ProviderConfig;
  /** The texts of the provider's credentials Secret; empty for a provider that needs none. */
  readonly credentials: Readonly<Record<string, string>>;
  /** SSH public key for the machines; undefined when nobody named one. */
  readonly sshAuthorizedKey: string | undefined;
}

/** One pool of equal worker machines, with nothing left open. */
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
 * How clusters come to be on one kind of infrastructure: pure functions from what is asked for to objects. Templates have
 * no name yet: whoever applies them derives it from their content, because Cluster API replaces machines when a template
 * of another name takes the place of the old one.
 */
export interface MachineProvider {
  readonly type: ProviderType;
  /** Those that are supported; admission refuses every other. */
  readonly operatingSystems: readonly OperatingSystem[];
  /** Keys that the credentials Secret must have. */
  readonly credentialKeys: readonly string[];
  readonly clusterKind: Kind;
  readonly machineTemplateKind: Kind;
  /** What is missing or wrong for this cluster, each as a sentence; nothing can be made before it is put right. */
  readonly faults: (input: ClusterInput) => readonly string[];
  /** The infrastructure cluster, of the cluster's own name, and after it what it needs beside it. */
  readonly clusterObjects: (input: ClusterInput) => readonly KubeObject[];
  /** The spec of the machine template. */
  readonly machineTemplateSpec: (input: ClusterInput, pool: PoolInput) => Record<string, unknown>;
  /** What is special about the bootstrap of its machines; the common part is the operating system's. */
  readonly bootstrapParts: (input: ClusterInput, pool: PoolInput) => BootstrapParts;
  /** Whether its images can join at once; otherwise the operating system is prepared on the machine first. */
  readonly imagesAreReady: boolean;
  /** Settings of the add-ons that Steward puts into the cluster, where the provider needs some. */
  readonly controlPlaneAddons: (input: ClusterInput) => StewardControlPlane["spec"]["addons"];
}
