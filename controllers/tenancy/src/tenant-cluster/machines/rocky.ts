import type { KubeadmConfigTemplate, KubeadmUser } from "@butler/api-external";
import { kubeletLabels, nodeLabelFaults } from "./accepted-node-labels.ts";
import { type SmallestMachine, sizeFaults } from "./accepted-sizes.ts";
import { firstSet } from "./accepted-text.ts";
import type { BootstrapParts, ClusterInput, PoolInput } from "./machine-provider.ts";
import { registrationOf } from "./node-registration.ts";
import { isPackagedVersion, preparationFiles, preparationPath } from "./rocky-preparation.ts";
import { plainSshKey } from "./rocky-ssh-key.ts";

/** How a machine becomes a node. */
export type BootstrapSpec = NonNullable<NonNullable<KubeadmConfigTemplate["spec"]>["template"]["spec"]>;

/** The image of Rocky Linux is this large, and a node without workload needs this much memory. */
export const smallestRockyMachine: SmallestMachine = { memory: "1Gi", diskSize: "10Gi" };

/** The account that Rocky Linux' own images have. */
const userName = "rocky";

/** cloud-init makes one script of all commands: a machine that could not be prepared must not join half-made. */
const stopAtFailure = "set -e";

/** What is wrong with the settings of pools whose machines run Rocky Linux, each as a sentence. */
export function rockyFaults(
  { kubernetesVersion, sshAuthorizedKey }: ClusterInput,
  pools: readonly PoolInput[],
  smallest: SmallestMachine = smallestRockyMachine,
): string[] {
  return [
    ...(isPackagedVersion(kubernetesVersion)
      ? []
      : [`kubernetesVersion "${kubernetesVersion}" is no version that packages exist for, such as v1.34.1`]),
    ...sshKeyFaults(sshAuthorizedKey),
    ...pools.flatMap((pool) => [
      ...sizeFaults(pool, smallest),
      ...nodeLabelFaults(pool),
      ...sshKeyFaults(pool.machine.os.sshAuthorizedKey),
    ]),
  ];
}

/**
 * How machines with Rocky Linux become nodes by kubeadm: packages from the projects' own repositories, in the version of the
 * pool. What the provider adds runs before the preparation.
 */
export function rockyBootstrap(input: ClusterInput, pool: PoolInput, parts: BootstrapParts): BootstrapSpec {
  const { files = [], preKubeadmCommands = [], postKubeadmCommands = [], nodeRegistration } = parts;
  const registration = registrationOf(
    { ...pool, labels: kubeletLabels(pool.labels) },
    {
      criSocket: "unix:///run/containerd/containerd.sock",
      imagePullPolicy: "IfNotPresent",
      ...nodeRegistration,
    },
  );
  return {
    format: "cloud-config",
    joinConfiguration: { nodeRegistration: registration },
    files: [...preparationFiles(input.kubernetesVersion), ...files],
    preKubeadmCommands: [stopAtFailure, ...preKubeadmCommands, preparationPath],
    ...(postKubeadmCommands.length === 0 ? {} : { postKubeadmCommands: [...postKubeadmCommands] }),
    ...users(firstSet(pool.machine.os.sshAuthorizedKey, input.sshAuthorizedKey)),
  };
}

function sshKeyFaults(key: string | undefined): string[] {
  if (key === undefined || key === "" || plainSshKey(key) !== undefined) return [];
  return ['the SSH key is no public key in OpenSSH\'s form, such as "ssh-ed25519 AAAA... you@example.com"'];
}

function users(sshAuthorizedKey: string | undefined): { users?: KubeadmUser[] } {
  const key = sshAuthorizedKey === undefined ? undefined : plainSshKey(sshAuthorizedKey);
  if (key === undefined) return {};
  const user: KubeadmUser = {
    name: userName,
    groups: "wheel",
    shell: "/bin/bash",
    lockPassword: true,
    sudo: "ALL=(ALL) NOPASSWD:ALL",
    sshAuthorizedKeys: [key],
  };
  return { users: [user] };
}
