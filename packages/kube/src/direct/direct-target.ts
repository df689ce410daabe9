import { readFileSync } from "node:fs";
import type { PlainContext } from "./kubeconfig-files.ts";

/** A server and credentials, completely resolved. */
export interface DirectTarget {
  readonly server: string;
  readonly tls: {
    readonly ca?: Buffer;
    readonly cert?: Buffer;
    readonly key?: Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  readonly headers: Readonly<Record<string, string>>;
}

const knownClusterFields = new Set([
  "server",
  "certificate-authority",
  "certificate-authority-data",
  "insecure-skip-tls-verify",
  "tls-server-name",
  "extensions",
]);
const knownUserFields = new Set([
  "client-certificate",
  "client-certificate-data",
  "client-key",
  "client-key-data",
  "token",
  "tokenFile",
  "extensions",
]);
const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/**
 * The target of a context whose cluster and user are self-contained: an address, certificates, a token. Undefined for
 * everything else (exec plug-ins, auth providers, proxies), which needs the full client.
 */
export function directTarget(
  context: Pick<PlainContext, "cluster" | "user">,
  environment: Readonly<Record<string, string | undefined>>,
): DirectTarget | undefined {
  const server = plainServer(context, environment);
  if (server === undefined) return undefined;
  try {
    const token = tokenOf(context.user);
    return { server, tls: tlsOf(context), headers: token === "" ? {} : { authorization: `Bearer ${token}` } };
  } catch {
    // A missing file: the full client reports the error.
    return undefined;
  }
}

/** The address, when there is no proxy or unsupported option. */
function plainServer(
  { cluster, user }: Pick<PlainContext, "cluster" | "user">,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isKnown =
    Object.keys(cluster).every((field) => knownClusterFields.has(field)) &&
    Object.keys(user).every((field) => knownUserFields.has(field)) &&
    proxyVariables.every((name) => (environment[name] ?? "") === "");
  const { server } = cluster;
  const isAddress = typeof server === "string" && /^https?:\/\/\S+$/.test(server) && URL.canParse(server);
  return isKnown && isAddress ? server.replace(/\/+$/, "") : undefined;
}

function tlsOf({ cluster, user }: Pick<PlainContext, "cluster" | "user">): DirectTarget["tls"] {
  const ca = material(cluster, "certificate-authority");
  const cert = material(user, "client-certificate");
  const key = material(user, "client-key");
  const servername = cluster["tls-server-name"];
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(typeof servername === "string" && servername !== "" && { servername }),
    ...(cluster["insecure-skip-tls-verify"] === true && { rejectUnauthorized: false }),
  };
}

function material(entry: Readonly<Record<string, unknown>>, field: string): Buffer | undefined {
  const [data, file] = [entry[`${field}-data`], entry[field]];
  if (typeof data === "string" && data !== "") return Buffer.from(data, "base64");
  return typeof file === "string" && file !== "" ? readFileSync(file) : undefined;
}

function tokenOf({ token, tokenFile }: Readonly<Record<string, unknown>>): string {
  if (typeof token === "string" && token !== "") return token;
  return typeof tokenFile === "string" && tokenFile !== "" ? readFileSync(tokenFile, "utf8").trim() : "";
}
