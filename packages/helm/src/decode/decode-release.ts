import { createGunzip } from "node:zlib";
import { InvalidInput, isRecord } from "@butler/std";
import type { Release, ReleaseStatus } from "../release.ts";
import { JsonPicker, type PickOptions } from "./json-picker.ts";

/** What is needed of a revision: its facts stand at its beginning, the rest further behind. */
export type ReleasePart = "facts" | "manifest" | "whole";

/** What was read of a revision; its name and number only when all of it was read. */
export interface ReleaseContent extends Omit<Release, "name" | "revision"> {
  readonly name: string | undefined;
  readonly revision: number | undefined;
}

/** How much of a revision is read at most. */
interface PartLimits {
  /** Of the content after it was unpacked. */
  readonly unpackedBytes: number;
  /** Of what is kept of it. */
  readonly keptBytes: number;
}

const mebibyte = 1024 * 1024;

/** A Secret holds 1 MiB, which base64 makes a third larger, twice. */
export const largestSecretText = 2 * mebibyte;

const limitsOf: Readonly<Record<ReleasePart, PartLimits>> = {
  facts: { unpackedBytes: 2 * mebibyte, keptBytes: mebibyte / 4 },
  // The content also has the chart's files, which may be larger than the manifest; these are not kept.
  manifest: { unpackedBytes: 32 * mebibyte, keptBytes: 8 * mebibyte },
  whole: { unpackedBytes: 32 * mebibyte, keptBytes: 16 * mebibyte },
};

const metadata = ["name", "version", "appVersion", "kubeVersion"].map((key) => `chart.metadata.${key}`);
const info = ["status", "description", "first_deployed", "last_deployed"].map((key) => `info.${key}`);
const facts = ["name", ...info, ...metadata];

const picks: Readonly<Record<ReleasePart, Omit<PickOptions, "maximumBytes">>> = {
  facts: { wanted: ["name", ...info, "chart.metadata"], last: "chart.metadata" },
  manifest: { wanted: ["name", ...info, ...metadata, "manifest"], last: "manifest" },
  whole: { wanted: [...facts, "namespace", "version", "config", "manifest"] },
};

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
  const { name, revision, ...content } = await readRelease(data, "whole");
  if (name === undefined || revision === undefined || !Number.isSafeInteger(revision) || revision < 1) {
    throw refusal("it has no name or revision");
  }
  return { ...content, name, revision };
}

/**
 * Reads part of a revision as a stream: it unpacks no more than it needs, and keeps no more than is asked for. A
 * tenant's admin can store content that unpacks to a thousand times its size.
 */
export async function readRelease(
  data: string,
  part: ReleasePart,
  onUnpacked: (bytes: number) => void = () => undefined,
): Promise<ReleaseContent> {
  if (data.length > largestSecretText) throw refusal("it is too large");
  const packed = Buffer.from(Buffer.from(data, "base64").toString("latin1"), "base64");
  const { unpackedBytes, keptBytes } = limitsOf[part];
  const picker = new JsonPicker({ ...picks[part], maximumBytes: keptBytes });
  let unpacked = 0;
  for await (const piece of unpack(packed)) {
    unpacked += piece.length;
    onUnpacked(piece.length);
    if (unpacked > unpackedBytes) throw refusal(`it unpacks to more than ${unpackedBytes / mebibyte} MiB`);
    picker.write(piece);
    if (picker.isDone) break;
  }
  return contentOf(picker.end());
}

/** Very old releases are not compressed. */
async function* unpack(packed: Buffer): AsyncGenerator<Buffer> {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) {
    yield packed;
    return;
  }
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  gunzip.end(packed);
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) yield piece;
  } catch {
    // The content may be secret, so the message does not quote it.
    throw refusal("it is damaged");
  } finally {
    gunzip.destroy();
  }
}

function contentOf(found: ReadonlyMap<string, unknown>): ReleaseContent {
  const chart = found.get("chart.metadata");
  const chartAt = (key: string): unknown => (isRecord(chart) ? chart[key] : found.get(`chart.metadata.${key}`));
  const [name, revision, status, config] = ["name", "version", "info.status", "config"].map((path) => found.get(path));
  return {
    name: typeof name === "string" ? name : undefined,
    namespace: textOf(found.get("namespace")),
    revision: typeof revision === "number" ? revision : undefined,
    status: isStatus(status) ? status : "unknown",
    description: textOf(found.get("info.description")),
    firstDeployed: timeOf(found.get("info.first_deployed")),
    lastDeployed: timeOf(found.get("info.last_deployed")),
    chart: {
      name: textOf(chartAt("name")),
      version: textOf(chartAt("version")),
      appVersion: textOf(chartAt("appVersion")) || undefined,
      kubeVersion: textOf(chartAt("kubeVersion")) || undefined,
    },
    values: isRecord(config) ? config : {},
    manifest: textOf(found.get("manifest")),
  };
}

/** Whether a text is a status of a release. */
export function isStatus(value: unknown): value is ReleaseStatus {
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
