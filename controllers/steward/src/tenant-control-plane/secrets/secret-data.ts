import { buildKubeconfig, type CertificatePair } from "@butler/pki";
import { isRecord } from "@butler/std";
import { parse, stringify } from "yaml";
import type { PairFiles } from "./secret-blueprint.ts";

/** The data of a Secret as Kubernetes has it: in base64. */
export type SecretData = Readonly<Record<string, string>>;

/** The text under a key, or undefined when there is none. */
export function textIn(data: SecretData, key: string): string | undefined {
  const value = data[key];
  return value === undefined ? undefined : Buffer.from(value, "base64").toString();
}

/** Texts as the data of a Secret. */
export function encodeData(texts: Readonly<Record<string, string>>): SecretData {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
}

/** The pair under two keys; a missing half is empty, which fails every check. */
export function pairIn(data: SecretData, { cert, key }: PairFiles): CertificatePair {
  return { cert: textIn(data, cert) ?? "", key: textIn(data, key) ?? "" };
}

export interface KubeconfigInput {
  readonly clusterName: string;
  readonly user: string;
  readonly server: string;
  /** The certificate of the CA that signs for the API server. */
  readonly authority: string;
  readonly client: CertificatePair;
}

/** A kubeconfig as text. Equal inputs give equal texts, so that a change by another client is detected. */
export function kubeconfigText({ clusterName, user, server, authority, client }: KubeconfigInput): string {
  return stringify(buildKubeconfig({ name: clusterName, user, server, caPem: authority, client }), { lineWidth: 0 });
}

/** The client certificate of a kubeconfig with one user; empty where there is none. */
export function clientOfKubeconfig(text: string): CertificatePair {
  const config = parseQuietly(text);
  const users: unknown = isRecord(config) ? config["users"] : undefined;
  const [first] = Array.isArray(users) ? (users as unknown[]) : [];
  const user = isRecord(first) && isRecord(first["user"]) ? first["user"] : {};
  const decoded = (key: string): string => {
    const value = user[key];
    return typeof value === "string" ? Buffer.from(value, "base64").toString() : "";
  };
  return { cert: decoded("client-certificate-data"), key: decoded("client-key-data") };
}

/** The same kubeconfig for another address of the server. */
export function withServer(text: string, server: string): string {
  const config = parseQuietly(text);
  const clusters: unknown = isRecord(config) ? config["clusters"] : undefined;
  const [first] = Array.isArray(clusters) ? (clusters as unknown[]) : [];
  if (isRecord(first) && isRecord(first["cluster"])) first["cluster"]["server"] = server;
  return stringify(config, { lineWidth: 0 });
}

function parseQuietly(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    // What is not YAML has no client certificate, which is all that is read here.
    return undefined;
  }
}
