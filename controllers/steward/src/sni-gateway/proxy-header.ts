import { type IpAddress, ipAddressBytes, parseIpAddress } from "@butler/std";

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
 * The header by which a server that understands PROXY protocol, version 2, learns where a connection came from.
 * Addresses that are unknown because the client has disconnected are omitted as the protocol provides for.
 */
export function proxyHeader(source: SocketAddress, destination: SocketAddress): Buffer {
  const [from, to] = [addressOf(source), addressOf(destination)];
  if (from === undefined || from.family !== to?.family) return header(versionAndLocalCommand, 0, Buffer.alloc(0));
  const ports = portBytes(source.port, destination.port);
  const addresses = Buffer.concat([ipAddressBytes(from), ipAddressBytes(to), ports]);
  return header(versionAndProxyCommand, from.family === 4 ? tcpOverIPv4 : tcpOverIPv6, addresses);
}

function header(command: number, family: number, addresses: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(addresses.length);
  return Buffer.concat([signature, Buffer.from([command, family]), length, addresses]);
}

/** A socket that listens for both families shows IPv4 clients in IPv6 form, and link-local ones with their interface. */
function addressOf({ address }: SocketAddress): IpAddress | undefined {
  return parseIpAddress(address.replace(/%.*$/, ""));
}

function portBytes(source: number, destination: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16BE(source, 0);
  bytes.writeUInt16BE(destination, 2);
  return bytes;
}
