import type { ClusterInput } from "@butler/provider";
import { X509Certificate } from "node:crypto";

/** The credentials key with the CA certificates of Prism Central; optional. */
export const trustBundleKey = "ca.pem";

const defaultPort = 9440;
const highestPort = 65_535;
const longestAddress = 256;
const longestBundle = 128 * 1024;

/** Address of Prism Central. */
export interface PrismAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * Host and port of Prism Central; undefined when the endpoint is not a plain https URL. A port in the endpoint has
 * priority.
 */
export function prismAddress({ provider }: ClusterInput): PrismAddress | undefined {
  const { endpoint = "", port = defaultPort } = provider.spec.nutanix ?? {};
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !isPlain(url)) return undefined;
  const address = url.hostname.replace(/^\[(.*)\]$/, "$1");
  // URL drops the default port of https, which is not the default port of Prism Central.
  const [, written] = /^[a-z]+:\/\/[^/]*?:(\d+)\/*$/i.exec(endpoint.replace(/\[[^\]]*\]/, "")) ?? [];
  const chosen = written === undefined ? port : Number(written);
  const isValid = address.length <= longestAddress && chosen >= 1 && chosen <= highestPort;
  return isValid ? { address, port: chosen } : undefined;
}

function isPlain({ protocol, username, password, pathname, search, hash }: URL): boolean {
  return protocol === "https:" && `${username}${password}${search}${hash}` === "" && /^\/*$/.test(pathname);
}

/** What is wrong with the connection settings of Prism Central, each as a sentence. */
export function prismFaults(input: ClusterInput): string[] {
  const bundle = trustBundle(input);
  return [
    ...(prismAddress(input) === undefined
      ? ["spec.nutanix.endpoint in the ProviderConfig is not an https URL such as https://prism.example.com:9440"]
      : []),
    ...(bundle === undefined || isBundle(bundle)
      ? []
      : [`${trustBundleKey} in the credentials must contain only PEM certificates`]),
  ];
}

/** CA certificates that are trusted in addition to the system's. */
export function trustBundle({ credentials }: ClusterInput): string | undefined {
  const text = (credentials[trustBundleKey] ?? "").trim();
  return text === "" ? undefined : `${text}\n`;
}

/** It is copied to an object that many users may read, so a key or any other content is rejected. */
function isBundle(text: string): boolean {
  const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
  if (text.length > longestBundle || text.replaceAll(block, "").trim() !== "") return false;
  const certificates = text.match(block) ?? [];
  return certificates.length > 0 && certificates.every(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
