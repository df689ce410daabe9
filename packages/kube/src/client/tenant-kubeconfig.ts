import { KubeConfig } from "@kubernetes/client-node";
import { InvalidInput, isRecord, type JsonObject } from "@butler/std";
import { parse } from "yaml";

/** The only credentials that a kubeconfig of a tenant may use. */
const allowedUserKeys = new Set(["client-certificate-data", "client-key-data", "token"]);
const allowedClusterKeys = new Set(["server", "certificate-authority-data", "tls-server-name"]);
const largestBytes = 256 * 1024;

/**
 * Reads a kubeconfig that a tenant may have written, such as that in a Secret. It is taken apart and put together from
 * known parts: one that would run a program, read a file of this machine, go through a proxy or skip TLS verification
 * is rejected.
 */
export function readTenantKubeconfig(text: string): KubeConfig {
  const { cluster, user } = currentParts(parseText(text));
  const server = textOf(cluster, "server");
  if (!server.startsWith("https://")) throw refusal("the server is not an https URL");
  const caData = textOf(cluster, "certificate-authority-data");
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "tenant", server, caData, skipTLSVerify: false, ...serverName(cluster) }],
    users: [{ name: "tenant", ...identity(user) }],
    contexts: [{ name: "tenant", cluster: "tenant", user: "tenant" }],
    currentContext: "tenant",
  });
  return config;
}

function parseText(text: string): JsonObject {
  if (Buffer.byteLength(text) > largestBytes) throw refusal("too large");
  let value: unknown;
  try {
    // Aliases could expand a small text into a huge value.
    value = parse(text, { maxAliasCount: 0 });
  } catch {
    // The parser quotes the offending lines, which may contain a key: its message is not passed on.
    throw refusal("neither YAML nor JSON");
  }
  if (!isRecord(value)) throw refusal("not an object");
  return value;
}

function currentParts(config: JsonObject): { cluster: JsonObject; user: JsonObject } {
  const context = entryOf(config, "contexts", textOf(config, "current-context"));
  const inner = partOf(context, "context");
  const cluster = partOf(entryOf(config, "clusters", textOf(inner, "cluster")), "cluster");
  const user = partOf(entryOf(config, "users", textOf(inner, "user")), "user");
  requireOnly(cluster, allowedClusterKeys);
  requireOnly(user, allowedUserKeys);
  return { cluster, user };
}

function entryOf(config: JsonObject, list: string, name: string): JsonObject {
  const entries: unknown = config[list];
  const found = Array.isArray(entries) ? entries.find((entry) => isRecord(entry) && entry["name"] === name) : undefined;
  if (!isRecord(found)) throw refusal(`"${name}" is not in ${list}`);
  return found;
}

function partOf(entry: JsonObject, key: string): JsonObject {
  const value = entry[key];
  if (!isRecord(value)) throw refusal(`${key} is missing`);
  return value;
}

function textOf(part: JsonObject, key: string): string {
  const value = part[key];
  if (typeof value !== "string" || value === "") throw refusal(`${key} is missing`);
  return value;
}

function requireOnly(part: JsonObject, allowed: ReadonlySet<string>): void {
  const foreign = Object.keys(part).find((key) => !allowed.has(key));
  if (foreign !== undefined) throw refusal(`${foreign} is not allowed`);
}

function serverName(cluster: JsonObject): { tlsServerName?: string } {
  const name = cluster["tls-server-name"];
  return typeof name === "string" ? { tlsServerName: name } : {};
}

function identity(user: JsonObject): { token: string } | { certData: string; keyData: string } {
  if (user["token"] !== undefined) return { token: textOf(user, "token") };
  return { certData: textOf(user, "client-certificate-data"), keyData: textOf(user, "client-key-data") };
}

function refusal(why: string): InvalidInput {
  return new InvalidInput(`invalid kubeconfig: ${why}`, {
    hint: "Provide server, certificate-authority-data, and either a token or a client certificate with its key, all inline.",
  });
}
