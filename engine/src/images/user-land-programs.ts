/** A program that an image needs from the distribution, and its Debian package. */
export interface UserLandProgram {
  readonly name: string;
  readonly package: string;
  /** Included if the machine has it, and not reported as missing otherwise. */
  readonly isOptional: boolean;
}

/** What an image needs from the distribution. */
export interface UserLandWish {
  readonly programs: readonly UserLandProgram[];
  /**
   * Directories next to the libraries whose contents programs load by name, so that they are in no program's headers.
   */
  readonly pluginFolders: readonly string[];
}

function fromPackage(packageName: string, names: string, { isOptional = false } = {}): UserLandProgram[] {
  return names.split(" ").map((name) => ({ name, package: packageName, isOptional }));
}

const shells = [...fromPackage("dash", "sh")];

const packetFilters = [
  ...fromPackage("iptables", "iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore"),
  // Both kernel interfaces under their own names, whichever of them the plain names refer to.
  ...fromPackage("iptables", "iptables-nft iptables-nft-save iptables-nft-restore", { isOptional: true }),
  ...fromPackage("iptables", "ip6tables-nft ip6tables-nft-save ip6tables-nft-restore", { isOptional: true }),
  ...fromPackage("iptables", "iptables-legacy iptables-legacy-save iptables-legacy-restore", { isOptional: true }),
  ...fromPackage("iptables", "ip6tables-legacy ip6tables-legacy-save ip6tables-legacy-restore", { isOptional: true }),
  ...fromPackage("nftables", "nft", { isOptional: true }),
  ...fromPackage("ipset", "ipset", { isOptional: true }),
  ...fromPackage("conntrack", "conntrack"),
];

/** Programs that kube-proxy calls. */
export const proxyUserLand: UserLandWish = { programs: [...shells, ...packetFilters], pluginFolders: ["xtables"] };

/**
 * Programs that a node needs: the kubelet, kubeadm and network agents call some of them; bootstrap scripts and users
 * call the rest. They are listed explicitly, because a distribution has ten times as many.
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
    // The network plugin with the same name as iproute2's bridge is in a directory that is not on the PATH.
    ...fromPackage("iproute2", "ip ss tc bridge"),
    ...fromPackage("procps", "ps pgrep pkill sysctl free kill"),
    ...fromPackage("kmod", "lsmod"),
    ...fromPackage("ethtool", "ethtool"),
    ...fromPackage("socat", "socat"),
  ],
  pluginFolders: ["xtables"],
};
