import { isIPv4, isIPv6 } from "node:net";
import { ipv6Value } from "../exposure/address-range.ts";

/** One end of a connection. */
export interface SocketAddress {
  readonly address: string;
  readonly port: number;
}

const signature = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
const versionAndProxyCommand = 0x21;
const versionAndLocalCommand = 0x20;
const tcpOverIPv4 = 0x11;
const tcpOverIPv6 = 0x21;

/**
 * The header by which a server that understands PROXY protocol, version 2, learns where a connection came from. Ends that
 * cannot be told, because the client is gone already, are left out as the protocol provides for.
 */
export function proxyHeader(source: SocketAddress, destination: SocketAddress): Buffer {
  const [from, to] = [plain(source.address), plain(destination.address)];
  if (isIPv4(from) && isIPv4(to)) {
    const addresses = Buffer.concat([ipv4Bytes(from), ipv4Bytes(to), portBytes(source.port, destination.port)]);
    return header(versionAndProxyCommand, tcpOverIPv4, addresses);
  }
  if (isIPv6(from) && isIPv6(to)) {
    const addresses = Buffer.concat([ipv6Bytes(from), ipv6Bytes(to), portBytes(source.port, destination.port)]);
    return header(versionAndProxyCommand, tcpOverIPv6, addresses);
  }
  return header(versionAndLocalCommand, 0, Buffer.alloc(0));
}

function header(command: number, family: number, addresses: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(addresses.length);
  return Buffer.concat([signature, Buffer.from([command, family]), length, addresses]);
}

/** A socket that listens for both families shows IPv4 clients in IPv6 form, and link-local ones with their interface. */
function plain(address: string): string {
  const withoutZone = address.replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone);
  return mapped?.[1] ?? withoutZone;
}

function ipv4Bytes(address: string): Buffer {
  return Buffer.from(address.split(".").map(Number));
}

function ipv6Bytes(address: string): Buffer {
  return Buffer.from(ipv6Value(address).toString(16).padStart(32, "0"), "hex");
}

function portBytes(source: number, destination: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16BE(source, 0);
  bytes.writeUInt16BE(destination, 2);
  return bytes;
}
