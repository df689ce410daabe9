import type { KubeadmFile } from "@butler/api-external";
import { InvalidInput } from "@butler/std";

/** The format of a version such as v1.34.1. */
const versionPattern = /^v(\d{1,3}\.\d{1,3})\.\d{1,3}$/;

/** The script that prepares a new machine for kubeadm. */
export const preparationPath = "/usr/local/sbin/butler-prepare-node";

/** Whether a Kubernetes version has the format of package versions. */
export function isPackagedVersion(kubernetesVersion: string): boolean {
  return versionPattern.test(kubernetesVersion);
}

/** The files that install a container runtime and one version of Kubernetes on a Rocky Linux machine. */
export function preparationFiles(kubernetesVersion: string): KubeadmFile[] {
  const [, minor] = versionPattern.exec(kubernetesVersion) ?? [];
  if (minor === undefined) {
    throw new InvalidInput(`"${kubernetesVersion}" is not a Kubernetes version`, {
      hint: "Use a version such as v1.34.1.",
    });
  }
  return [
    rootFile("/etc/modules-load.d/kubernetes.conf", modules),
    rootFile("/etc/sysctl.d/99-kubernetes.conf", kernelSettings),
    rootFile("/etc/yum.repos.d/docker-ce.repo", containerdRepository),
    rootFile("/etc/yum.repos.d/kubernetes.repo", kubernetesRepository(minor)),
    { ...rootFile(preparationPath, preparation(kubernetesVersion.slice(1))), permissions: "0755" },
  ];
}

/** A file owned by root with mode 0644. */
export function rootFile(path: string, lines: readonly string[]): KubeadmFile {
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
    // A full system update must not change the Kubernetes version of the Machine.
    "exclude=kubelet kubeadm kubectl cri-tools kubernetes-cni",
  ];
}

/**
 * The only user input here is the version, which consists of digits and dots. Opening braces followed by a brace, `%`
 * or `#` must not occur: cloud-init would treat them as templates.
 */
function preparation(version: string): string[] {
  const packages = ["kubelet", "kubeadm", "kubectl"].map((name) => `${name}-${version}`).join(" ");
  return [
    "#!/bin/bash",
    "# Prepares this machine for kubeadm. Safe to run more than once.",
    "set -euo pipefail",
    "",
    "# The kubelet does not start while swap is enabled.",
    "swapoff --all",
    String.raw`sed --in-place '/\sswap\s/s/^[^#]/#&/' /etc/fstab`,
    "",
    "# SELinux would deny containers access to kubelet mounts, and firewalld would block pod traffic.",
    "if selinuxenabled; then setenforce 0; fi",
    "sed --in-place 's/^SELINUX=enforcing$/SELINUX=permissive/' /etc/selinux/config",
    "if systemctl is-enabled --quiet firewalld; then systemctl disable --now firewalld; fi",
    "",
    "modprobe --all overlay br_netfilter",
    "sysctl --quiet --load=/etc/sysctl.d/99-kubernetes.conf",
    "",
    "# iscsi-initiator-utils and nfs-utils are required for iSCSI and NFS volumes.",
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
