/** A program that an image needs from the distribution, and the package that brings it on Debian. */
export interface UserLandProgram {
  readonly name: string;
  readonly package: string;
  /** Taken along where the machine has it, not missed otherwise. */
  readonly isOptional: boolean;
}

/** What an image needs from the distribution. */
export interface UserLandWish {
  readonly programs: readonly UserLandProgram[];
  /** Folders beside the libraries whose content programs load by name, so that no program's headers mention it. */
  readonly pluginFolders: readonly string[];
}

function fromPackage(packageName: string, names: string, { isOptional = false } = {}): UserLandProgram[] {
  return names.split(" ").map((name) => ({ name, package: packageName, isOptional }));
}

const shells = [...fromPackage("dash", "sh")];

const packetFilters = [
  ...fromPackage("iptables", "iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore"),
  // Both ways into the kernel under their own names, whichever of them the plain names mean.
  ...fromPackage("iptables", "iptables-nft iptables-nft-save iptables-nft-restore", { isOptional: true }),
  ...fromPackage("iptables", "ip6tables-nft ip6tables-nft-save ip6tables-nft-restore", { isOptional: true }),
  ...fromPackage("iptables", "iptables-legacy iptables-legacy-save iptables-legacy-restore", { isOptional: true }),
  ...fromPackage("iptables", "ip6tables-legacy ip6tables-legacy-save ip6tables-legacy-restore", { isOptional: true }),
  ...fromPackage("nftables", "nft", { isOptional: true }),
  ...fromPackage("ipset", "ipset", { isOptional: true }),
  ...fromPackage("conntrack", "conntrack"),
];

/** What kube-proxy calls. */
export const proxyUserLand: UserLandWish = { programs: [...shells, ...packetFilters], pluginFolders: ["xtables"] };

/**
 * What a node needs: the kubelet and kubeadm call some of it, network agents call some, bootstrap scripts and people
 * call the rest. The programs are named one by one, because a distribution has ten times more.
 */
export const nodeUserLand: UserLandWish = {
  programs: [
    ...shells,
    ...packetFilters,
    ...fromPackage("bash", "bash"),
    ...fromPackage("coreutils", "[ basename cat chmod chown cp cut date dd df dirname du echo env expr false head id"),
    ...fromPackage("coreutils", "install ln ls md5sum mkdir mkfifo mknod mktemp mv nproc od pwd readlink realpath rm"),
    ...fromPackage("coreutils", "rmdir seq sha256sum sleep sort stat sync tail tee test timeout touch tr true tty"),
    ...fromPackage("coreutils", "uname uniq wc base64"),
    ...fromPackage("findutils", "find xargs"),
    ...fromPackage("grep", "grep"),
    ...fromPackage("sed", "sed"),
    ...fromPackage("mawk", "awk"),
    ...fromPackage("tar", "tar"),
    ...fromPackage("gzip", "gzip"),
    ...fromPackage("hostname", "hostname"),
    ...fromPackage("mount", "mount umount losetup"),
    ...fromPackage("util-linux", "nsenter unshare findmnt blkid dmesg flock setsid"),
    ...fromPackage("e2fsprogs", "mke2fs mkfs.ext4 e2fsck fsck.ext4", { isOptional: true }),
    // The network plug-in of the same name as iproute2's bridge is in a folder that is not on the path.
    ...fromPackage("iproute2", "ip ss tc bridge"),
    ...fromPackage("procps", "ps pgrep pkill sysctl free kill"),
    ...fromPackage("kmod", "lsmod"),
    ...fromPackage("ethtool", "ethtool"),
    ...fromPackage("socat", "socat"),
  ],
  pluginFolders: ["xtables"],
};
