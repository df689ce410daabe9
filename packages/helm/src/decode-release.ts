import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { InvalidInput, isRecord } from "@butler/std";
import type { ChartMetadata, Release, ReleaseStatus } from "./release.ts";

const unzip = promisify(gunzip);

/** A Secret holds 1 MiB; its unpacked content may be larger, up to this limit. */
const largestBytes = 32 * 1024 * 1024;

const statuses: ReadonlySet<string> = new Set<ReleaseStatus>([
  "unknown",
  "deployed",
  "superseded",
  "failed",
  "uninstalling",
  "uninstalled",
  "pending-install",
  "pending-upgrade",
  "pending-rollback",
]);

/** Reads what Helm has in `data.release` of a Secret: base64 of the API, then Helm's own, then gzip, then JSON. */
export async function decodeRelease(data: string): Promise<Release> {
  const packed = Buffer.from(Buffer.from(data, "base64").toString("latin1"), "base64");
  return releaseOf(parse(await unpack(packed)));
}

/** Very old releases are not compressed. */
async function unpack(packed: Buffer): Promise<string> {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed.toString("utf8");
  try {
    return (await unzip(packed, { maxOutputLength: largestBytes })).toString("utf8");
  } catch {
    // The content may be secret, so the message does not quote it.
    throw refusal("the data is corrupt or too large");
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal("the data is not valid JSON");
  }
  if (isRecord(value)) return value;
  throw refusal("the data is not a JSON object");
}

function releaseOf(value: Readonly<Record<string, unknown>>): Release {
  const { name, namespace, version, config, manifest } = value;
  const info = isRecord(value["info"]) ? value["info"] : {};
  if (typeof name !== "string" || typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) {
    throw refusal("the name or revision is missing");
  }
  const status = info["status"];
  return {
    name,
    namespace: textOf(namespace),
    revision: version,
    status: isStatus(status) ? status : "unknown",
    description: textOf(info["description"]),
    firstDeployed: timeOf(info["first_deployed"]),
    lastDeployed: timeOf(info["last_deployed"]),
    chart: chartOf(value["chart"]),
    values: isRecord(config) ? config : {},
    manifest: textOf(manifest),
  };
}

function chartOf(chart: unknown): ChartMetadata {
  const metadata = isRecord(chart) && isRecord(chart["metadata"]) ? chart["metadata"] : {};
  return {
    name: textOf(metadata["name"]),
    version: textOf(metadata["version"]),
    appVersion: textOf(metadata["appVersion"]) || undefined,
    kubeVersion: textOf(metadata["kubeVersion"]) || undefined,
  };
}

function isStatus(value: unknown): value is ReleaseStatus {
  return typeof value === "string" && statuses.has(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Go writes year 1 for a zero time. */
function timeOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && !value.startsWith("0001-") ? value : undefined;
}

function refusal(why: string): InvalidInput {
  return new InvalidInput(`cannot read the release: ${why}`, {
    hint: "Inspect it with Helm: helm history RELEASE -n NAMESPACE",
  });
}
