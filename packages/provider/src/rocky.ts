import type { KubeadmConfigTemplate, KubeadmUser } from "@butler/api-external";
import { kubeletLabels, nodeLabelFaults } from "./accepted-node-labels.ts";
import { type SmallestMachine, sizeFaults } from "./accepted-sizes.ts";
import { firstSet } from "./accepted-text.ts";
import type { BootstrapParts, ClusterInput, PoolInput } from "./machine-provider.ts";
import { registrationOf } from "./node-registration.ts";
import { isPackagedVersion, preparationFiles, preparationPath } from "./rocky-preparation.ts";
import { plainSshKey } from "./rocky-ssh-key.ts";

/** The bootstrap of a machine. */
export type BootstrapSpec = NonNullable<NonNullable<KubeadmConfigTemplate["spec"]>["template"]["spec"]>;

/** The size of the Rocky Linux image, and the memory that a node without workload needs. */
export const smallestRockyMachine: SmallestMachine = { memory: "1Gi", diskSize: "10Gi" };

/** The default user of Rocky Linux images. */
const userName = "rocky";

/** cloud-init runs all commands as one script: a machine whose preparation failed must not join. */
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
      : [`no packages exist for kubernetesVersion "${kubernetesVersion}"; use a version such as v1.34.1`]),
    ...sshKeyFaults(sshAuthorizedKey),
    ...pools.flatMap((pool) => [
      ...sizeFaults(pool, smallest),
      ...nodeLabelFaults(pool),
      ...sshKeyFaults(pool.machine.os.sshAuthorizedKey),
    ]),
  ];
}

/**
 * The kubeadm bootstrap of Rocky Linux machines: packages from the upstream repositories, in the version of the
 * pool. The provider's additions run before the preparation.
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
  return ['the SSH key is not an OpenSSH public key such as "ssh-ed25519 AAAA... you@example.com"'];
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
