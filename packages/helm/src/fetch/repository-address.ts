import { InvalidInput } from "@butler/std";
import { reachOf } from "@butler/std/outgoing";

/** The protocol and the URL of a repository. */
export interface RepositoryAddress {
  readonly kind: "http" | "oci";
  /** Always http or https, and without a slash at its end. */
  readonly url: URL;
}

const schemes: Readonly<Record<string, { readonly kind: "http" | "oci"; readonly transport: "http" | "https" }>> = {
  http: { kind: "http", transport: "http" },
  https: { kind: "http", transport: "https" },
  oci: { kind: "oci", transport: "https" },
  "oci+http": { kind: "oci", transport: "http" },
};
const chartName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,249}$/;
/** A path of a registry, as the distribution specification has it (its section "Pulling manifests"). */
const registryPath = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$/;

/**
 * Parses the URL of a repository. `oci://` uses TLS, except for a loopback address such as 127.0.0.1;
 * `oci+http://` explicitly requests a registry without TLS.
 */
export function parseRepositoryAddress(text: string): RepositoryAddress {
  const [, written = "", rest = ""] = /^([a-z+]+):\/\/([^/].*)$/i.exec(text) ?? [];
  const scheme = written.toLowerCase();
  const spoken = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
  if (spoken === undefined) throw refusal("must start with https://, http://, oci:// or oci+http://");
  const isAtHome = scheme === "oci" && reachOf(hostOf(rest)) === "loopback";
  const address = `${isAtHome ? "http" : spoken.transport}://${rest}`;
  if (!URL.canParse(address)) throw refusal("not a URL");
  const url = new URL(address);
  refuseExtras(url, text);
  url.pathname = url.pathname.replace(/\/+$/, "");
  return { kind: spoken.kind, url };
}

/** An address is shown in status and messages, so that nothing secret may be in it. */
function refuseExtras(url: URL, text: string): void {
  if (url.username !== "" || url.password !== "") {
    throw refusal("must not contain credentials", "Store the username and password in a Secret instead.");
  }
  if (/[?#\\\s]/.test(text)) throw refusal("must not contain a query, a fragment or a space");
}

/** Refuses a name that no chart can have, before it becomes a part of a path. */
export function requireChartName(name: string): string {
  if (chartName.test(name) && !name.includes("..")) return name;
  throw new InvalidInput(`${JSON.stringify(name.slice(0, 100))} is not a valid chart name`, {
    hint: "Use letters, digits, dots, dashes and underscores. If the chart is in a subdirectory, include the directory in the repository URL.",
  });
}

/** The path of a chart in a registry, as in /v2/PATH/manifests. */
export function registryPathOf({ url }: RepositoryAddress, name: string): string {
  const path = [...url.pathname.split("/").filter((part) => part !== ""), requireChartName(name)].join("/");
  if (registryPath.test(path) && path.length <= 255) return path;
  throw refusal("a registry path must consist of lowercase letters and digits, with single separators between them");
}

/** Whether two addresses are of the same server: the same host and port, or its encrypted side at the usual port. */
export function isSameServer(one: URL, other: URL): boolean {
  return one.origin === other.origin || isUpgrade(one, other);
}

function isUpgrade(from: URL, to: URL): boolean {
  const isUsual = from.port === "" && to.port === "";
  return from.hostname === to.hostname && isUsual && from.protocol === "http:" && to.protocol === "https:";
}

/** The port depends on the scheme, but the host does not. */
function hostOf(rest: string): string {
  return URL.canParse(`http://${rest}`) ? new URL(`http://${rest}`).hostname : "";
}

/** The address is not repeated: what is wrong with it may be a password. */
function refusal(why: string, hint?: string): InvalidInput {
  return new InvalidInput(`invalid repository URL: ${why}`, {
    hint: hint ?? "Use a URL such as https://charts.example.com/stable or oci://registry.example.com/charts.",
  });
}
