import { isIP } from "node:net";
import { ByteCursor } from "./byte-cursor.ts";

/** Why a ClientHello has no server name to route by. */
export type ServerNameFault = "malformed-hello" | "no-server-name" | "address-as-name";

export type ServerName =
  { readonly kind: "name"; readonly name: string } | { readonly kind: "fault"; readonly reason: ServerNameFault };

const serverNameExtension = 0;
const hostNameType = 0;
const randomLength = 32;
const longestSessionId = 32;
const longestName = 253;

const fault = (reason: ServerNameFault): ServerName => ({ kind: "fault", reason });

/**
 * The server name in the body of a ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3). Unknown values (GREASE),
 * which some clients send to keep servers tolerant, are skipped. Throws Truncated when the body is cut short.
 */
export function serverNameOf(body: Buffer): ServerName {
  const cursor = new ByteCursor(body);
  cursor.take(2 + randomLength);
  const sessionId = cursor.vector(1);
  const cipherSuites = cursor.vector(2);
  const compressions = cursor.vector(1);
  const isWellFormed =
    sessionId.length <= longestSessionId &&
    cipherSuites.length >= 2 &&
    cipherSuites.length % 2 === 0 &&
    compressions.length >= 1;
  if (!isWellFormed) return fault("malformed-hello");
  if (cursor.isAtEnd) return fault("no-server-name");
  const extensions = cursor.vector(2);
  if (!cursor.isAtEnd) return fault("malformed-hello");
  const found = extensionsOfType(extensions, serverNameExtension);
  if (found.length > 1) return fault("malformed-hello");
  return found[0] === undefined ? fault("no-server-name") : hostNameIn(found[0]);
}

function extensionsOfType(extensions: Buffer, wanted: number): Buffer[] {
  const cursor = new ByteCursor(extensions);
  const found: Buffer[] = [];
  while (!cursor.isAtEnd) {
    const type = cursor.uint16();
    const data = cursor.vector(2);
    if (type === wanted) found.push(data);
  }
  return found;
}

function hostNameIn(extension: Buffer): ServerName {
  const outer = new ByteCursor(extension);
  const list = new ByteCursor(outer.vector(2));
  if (!outer.isAtEnd) return fault("malformed-hello");
  const names: Buffer[] = [];
  while (!list.isAtEnd) {
    const type = list.uint8();
    const name = list.vector(2);
    if (type === hostNameType) names.push(name);
  }
  const [name, ...others] = names;
  if (name === undefined) return fault("no-server-name");
  // Two names of one type are forbidden; a client that sends them wants gateway and server to read different ones.
  return others.length > 0 ? fault("malformed-hello") : checkName(name.toString("latin1"));
}

function checkName(text: string): ServerName {
  const name = normalizeServerName(text);
  if (isIP(name) !== 0) return fault("address-as-name");
  const isName = name.length <= longestName && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name);
  return isName ? { kind: "name", name } : fault("malformed-hello");
}

/** The normalized spelling of a name: lower case, without a trailing dot. */
export function normalizeServerName(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}
