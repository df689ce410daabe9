import { type BootstrapParts, type ClusterInput, type PoolInput, rootFile } from "@butler/provider";
import { hasDataDisk } from "./machine-template.ts";

const providerIdProgram = "/usr/local/sbin/butler-provider-id";
const dataDiskProgram = "/usr/local/sbin/butler-data-disk";

/** Bootstrap steps of machines on Nutanix before they join. */
export function nutanixBootstrap(input: ClusterInput, pool: PoolInput): BootstrapParts {
  const programs = [
    { path: providerIdProgram, lines: providerId },
    ...(hasDataDisk(input, pool) ? [{ path: dataDiskProgram, lines: dataDisk }] : []),
  ];
  return {
    files: [
      rootFile("/etc/systemd/system/kubelet.service.d/20-provider-id.conf", kubeletDropIn),
      ...programs.map(({ path, lines }) => ({ ...rootFile(path, lines), permissions: "0755" })),
    ],
    preKubeadmCommands: programs.map(({ path }) => path),
  };
}

/** Read after kubeadm's own drop-in, whose settings it overrides. */
const kubeletDropIn = ["[Service]", "EnvironmentFile=/etc/butler-kubelet.env"];

/**
 * Cluster API matches nodes to Machines by this ID. CAPX leaves it to a cloud controller manager; without one, the
 * machine sets it from its own UUID.
 */
const providerId = [
  "#!/bin/bash",
  "# Sets the kubelet's provider ID to the UUID of this Nutanix VM.",
  "set -euo pipefail",
  "",
  "uuid=$(tr '[:upper:]' '[:lower:]' < /sys/class/dmi/id/product_uuid)",
  'echo "KUBELET_EXTRA_ARGS=--provider-id=nutanix://$uuid" > /etc/butler-kubelet.env',
];

const dataDisk = [
  "#!/bin/bash",
  "# Moves container images and pod data to the dedicated data disk. Safe to run more than once.",
  "set -euo pipefail",
  "",
  "label=butler-data",
  "place=/var/lib/butler-data",
  "",
  'if ! blkid --label "$label" > /dev/null; then',
  "  empty=",
  "  # 8 is the major number of SCSI disks.",
  "  for disk in $(lsblk --nodeps --noheadings --paths --output NAME --include 8); do",
  '    if [ -n "$(wipefs --noheadings "$disk")" ]; then continue; fi',
  '    if [ -n "$empty" ]; then echo "both $empty and $disk are empty" >&2; exit 1; fi',
  "    empty=$disk",
  "  done",
  '  if [ -z "$empty" ]; then echo "there is no empty disk" >&2; exit 1; fi',
  '  mkfs.xfs -L "$label" "$empty"',
  "fi",
  "",
  "keep() { # what, where, type, options",
  '  mkdir --parents "$2"',
  '  if ! grep --quiet " $2 " /etc/fstab; then echo "$1 $2 $3 $4 0 0" >> /etc/fstab; fi',
  '  if ! mountpoint --quiet "$2"; then mount "$2"; fi',
  "}",
  "",
  'keep "LABEL=$label" "$place" xfs defaults',
  "for folder in containerd kubelet; do",
  '  mkdir --parents "$place/$folder"',
  '  keep "$place/$folder" "/var/lib/$folder" none bind',
  "done",
];
