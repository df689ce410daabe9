import {
  formatIpAddress,
  InvalidInput,
  ipAddressBytes,
  ipAddressFrom,
  normaliseIpAddress,
  requireIpAddress,
} from "@butler/std";
import { isIP } from "node:net";
import { childrenOf, type DerElement, derTags, readAscii, readSingle } from "./der-reader.ts";
import { element, sequence } from "./der-writer.ts";

/** The names and addresses of a certificate. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** The number of names of unsupported types. */
  readonly otherNames: number;
}

const tags = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;
const dnsName = /^(\*\.)?[a-z\d_]([-a-z\d_]{0,62})(\.[a-z\d_][-a-z\d_]{0,62})*$/i;

/** Reads the subjectAltName extension; no content means no names. */
export function readAlternativeNames(content: Buffer | undefined): AlternativeNames {
  const names = content === undefined ? [] : childrenOf(readSingle(content, derTags.sequence), derTags.sequence);
  const ofKind = (tag: number): DerElement[] => names.filter((name) => name.tag === tag);
  const textsOf = (tag: number): string[] => ofKind(tag).map((name) => readAscii(name.content));
  const known: readonly number[] = Object.values(tags);
  return {
    dnsNames: textsOf(tags.dns),
    ipAddresses: ofKind(tags.ip).map((name) => formatIpAddress(ipAddressFrom(name.content))),
    emailAddresses: textsOf(tags.email),
    uris: textsOf(tags.uri),
    otherNames: names.filter((name) => !known.includes(name.tag)).length,
  };
}

/** Writes the subjectAltName extension, each name once; nothing without names. */
export function writeAlternativeNames(dnsNames: readonly string[], ipAddresses: readonly string[]): Buffer | undefined {
  const names = [
    ...[...new Set(dnsNames)].map((name) => element(tags.dns, Buffer.from(parseDnsName(name)))),
    ...[...new Set(ipAddresses.map(normaliseIpAddress))].map((address) =>
      element(tags.ip, ipAddressBytes(requireIpAddress(address))),
    ),
  ];
  return names.length === 0 ? undefined : sequence(...names);
}

function parseDnsName(name: string): string {
  if (isIP(name) !== 0) {
    throw new InvalidInput(`${name} is an IP address, not a DNS name`, {
      hint: "Add it to the certificate's IP addresses; clients look for addresses only there.",
    });
  }
  if (name.length <= 253 && dnsName.test(name)) return name;
  throw new InvalidInput(`${JSON.stringify(name)} is not a DNS name`, {
    hint: "Use letters, digits, - and _ in labels separated by dots; an asterisk is allowed only as the first label.",
  });
}
