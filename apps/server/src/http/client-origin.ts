import type { IncomingMessage } from "node:http";
import { parseIpAddress, parseNetworkOrAddress, rangeContains } from "@butler/std";

/** Decides whether an address is that of a trusted proxy, whose forwarded headers are used. */
export type ProxyTrust = (address: string) => boolean;

/** The trust in proxies of these addresses and networks. */
export function proxyTrust(proxies: readonly string[]): ProxyTrust {
  const ranges = proxies.map((text) => parseNetworkOrAddress(text));
  return (text) => {
    const address = parseIpAddress(text);
    return address !== undefined && ranges.some((range) => rangeContains(range, address));
  };
}

/** Where a request comes from, as far as trusted proxies tell. */
export interface ClientOrigin {
  readonly sourceAddress: string;
  /** Whether the client connected by TLS: to this process, or to a trusted proxy. */
  readonly isSecure: boolean;
}

/** The origin of a request that the HTTP framework does not see, such as a WebSocket. */
export function originOfUpgrade({ headers, socket }: IncomingMessage, isTrusted: ProxyTrust): ClientOrigin {
  let sourceAddress = socket.remoteAddress ?? "";
  const isForwarded = isTrusted(sourceAddress);
  // Each proxy appends the address of its client.
  for (const forwarded of listIn(headers["x-forwarded-for"]).reverse()) {
    if (!isTrusted(sourceAddress)) break;
    sourceAddress = forwarded;
  }
  const protocol = isForwarded ? listIn(headers["x-forwarded-proto"]).at(-1) : undefined;
  const isEncrypted = "encrypted" in socket && socket.encrypted === true;
  return { sourceAddress, isSecure: protocol === undefined ? isEncrypted : protocol === "https" };
}

function listIn(header: string | readonly string[] | undefined): string[] {
  const text = typeof header === "string" ? header : (header ?? []).join(",");
  return text.split(",").flatMap((part) => part.trim() || []);
}
