import type { KubeadmFile } from "@butler/api-external";
import { InvalidInput } from "@butler/std";

/** What a version such as v1.34.1 consists of. */
const versionPattern = /^v(\d{1,3}\.\d{1,3})\.\d{1,3}$/;

/** The program that turns a fresh machine into one on which kubeadm works. */
export const preparationPath = "/usr/local/sbin/butler-prepare-node";

/** Whether packages can be named for a Kubernetes version. */
export function isPackagedVersion(kubernetesVersion: string): boolean {
  return versionPattern.test(kubernetesVersion);
}

/** The files by which a machine with Rocky Linux gets a container runtime and the Kubernetes of one version. */
export function preparationFiles(kubernetesVersion: string): KubeadmFile[] {
  const [, minor] = versionPattern.exec(kubernetesVersion) ?? [];
  if (minor === undefined) {
    throw new InvalidInput(`"${kubernetesVersion}" is not a Kubernetes version`, { hint: "Write it like v1.34.1." });
  }
  return [
    file("/etc/modules-load.d/kubernetes.conf", modules),
    file("/etc/sysctl.d/99-kubernetes.conf", kernelSettings),
    file("/etc/yum.repos.d/docker-ce.repo", containerdRepository),
    file("/etc/yum.repos.d/kubernetes.repo", kubernetesRepository(minor)),
    { ...file(preparationPath, preparation(kubernetesVersion.slice(1))), permissions: "0755" },
  ];
}

/** A file that belongs to root and that everybody may read. */
export function file(path: string, lines: readonly string[]): KubeadmFile {
  return { path, owner: "root:root", permissions: "0644", content: `${lines.join("\n")}\n` };
}

const modules = ["overlay", "br_netfilter"];

const kernelSettings = [
  "net.bridge.bridge-nf-call-iptables = 1",
  "net.bridge.bridge-nf-call-ip6tables = 1",
  "net.ipv4.ip_forward = 1",
];

const containerdRepository = [
  "[docker-ce-stable]",
  "name=containerd, as Docker publishes it",
  "baseurl=https://download.docker.com/linux/centos/$releasever/$basearch/stable",
  "enabled=1",
  "gpgcheck=1",
  "gpgkey=https://download.docker.com/linux/centos/gpg",
];

function kubernetesRepository(minor: string): string[] {
  const address = `https://pkgs.k8s.io/core:/stable:/v${minor}/rpm/`;
  return [
    "[kubernetes]",
    `name=Kubernetes ${minor}`,
    `baseurl=${address}`,
    "enabled=1",
    "gpgcheck=1",
    `gpgkey=${address}repodata/repomd.xml.key`,
    // An update of the whole machine must not move it to another version than its Machine says.
    "exclude=kubelet kubeadm kubectl cri-tools kubernetes-cni",
  ];
}

/**
 * Nothing in here comes from users but the version, which is digits and dots. Opening braces with a brace, `%` or `#` after
 * them may not occur: cloud-init takes them for its own templates.
 */
function preparation(version: string): string[] {
  const packages = ["kubelet", "kubeadm", "kubectl"].map((name) => `${name}-${version}`).join(" ");
  return [
    "#!/bin/bash",
    "# Makes this machine ready for kubeadm. It may run again at any time.",
    "set -euo pipefail",
    "",
    "# Kubelets refuse to run with swap.",
    "swapoff --all",
    String.raw`sed --in-place '/\sswap\s/s/^[^#]/#&/' /etc/fstab`,
    "",
    "# Containers need to read what kubelets mount for them, and the pod network brings its own rules.",
    "if selinuxenabled; then setenforce 0; fi",
    "sed --in-place 's/^SELINUX=enforcing$/SELINUX=permissive/' /etc/selinux/config",
    "if systemctl is-enabled --quiet firewalld; then systemctl disable --now firewalld; fi",
    "",
    "modprobe --all overlay br_netfilter",
    "sysctl --quiet --load=/etc/sysctl.d/99-kubernetes.conf",
    "",
    "# The last two let pods use volumes over iSCSI and NFS.",
    "dnf install --assumeyes containerd.io iproute-tc iscsi-initiator-utils nfs-utils",
    "systemctl enable --now iscsid",
    "",
    "mkdir --parents /etc/containerd",
    "containerd config default | sed 's/SystemdCgroup = false/SystemdCgroup = true/' > /etc/containerd/config.toml",
    "grep --quiet 'SystemdCgroup = true' /etc/containerd/config.toml",
    "systemctl enable containerd",
    "systemctl restart containerd",
    "",
    `dnf install --assumeyes --disableexcludes=kubernetes ${packages}`,
    "systemctl enable kubelet",
  ];
}
