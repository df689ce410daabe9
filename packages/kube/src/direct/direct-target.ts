import { readFileSync } from "node:fs";
import type { PlainContext } from "./kubeconfig-files.ts";

/** Whom to speak to, and the proof of who is asking, all of it at hand. */
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
 * The target of a context whose cluster and user say all that is needed: an address, certificates, a token. Undefined for
 * everything else (programs that give credentials, sign-in by providers, proxies), which takes more than this.
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
    // A file that is not there: what is wrong with it is said elsewhere.
    return undefined;
  }
}

/** The address, where nothing but what is known here is between. */
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
