import { directory, fileFrom, fileWith, type LayerEntry } from "./layer-entry.ts";

/** The unprivileged user for programs: `uid:gid`. */
export const nonRootUser = "65532:65532";

const users = `root:x:0:0:root:/root:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
nonroot:x:65532:65532:nonroot:/home/nonroot:/usr/sbin/nologin
`;

const groups = `root:x:0:
tty:x:5:
nogroup:x:65534:
nonroot:x:65532:
`;

const nameServices = `passwd: files
group: files
hosts: files dns
protocols: files
services: files
`;

/** Numbers assigned by IANA; packet filters translate them into names. */
const protocols = `ip 0 IP
icmp 1 ICMP
igmp 2 IGMP
ipencap 4 IP-ENCAP
tcp 6 TCP
udp 17 UDP
ipv6 41 IPv6
gre 47 GRE
esp 50 IPSEC-ESP
ah 51 IPSEC-AH
ipv6-icmp 58 IPv6-ICMP
vrrp 112 VRRP
sctp 132 SCTP
udplite 136 UDPLite
`;

const services = `ssh 22/tcp
domain 53/tcp
domain 53/udp
http 80/tcp
ntp 123/udp
https 443/tcp
`;

/** Location of CA certificates in an image; Go and OpenSSL on Debian look there first. */
const caBundlePath = "/etc/ssl/certs/ca-certificates.crt";

/** Files of this machine that a base layer includes. */
export interface BaseFilesOptions {
  /** A file with public CA certificates; undefined if the machine has none. */
  readonly caBundle: string | undefined;
}

/** The few files that even a static program expects: users, groups, name service, CA certificates, /tmp. */
export function baseFiles({ caBundle }: BaseFilesOptions): LayerEntry[] {
  return [
    fileWith("/etc/passwd", users),
    fileWith("/etc/group", groups),
    fileWith("/etc/nsswitch.conf", nameServices),
    directory("/tmp", 0o1777),
    ...(caBundle === undefined ? [] : [fileFrom(caBundle, caBundlePath, 0o644)]),
  ];
}

/** Files that copied programs need and that a distribution spreads over many packages. */
export function userLandFiles(options: BaseFilesOptions): LayerEntry[] {
  return [
    ...baseFiles(options),
    fileWith("/etc/protocols", protocols),
    fileWith("/etc/services", services),
    directory("/root", 0o700),
    // iptables keeps its lock there.
    directory("/run"),
    directory("/var/tmp", 0o1777),
    // Modules belong to the host; requesting one that is built in or loaded must not fail.
    fileWith("/usr/bin/modprobe", "#!/bin/sh\nexit 0\n", 0o755),
  ];
}
