import { isRecord } from "@butler/std";
import { parse } from "yaml";
import { BadArchive } from "./tar-header.ts";
import { keepKeys } from "./yaml-lines.ts";

/** Metadata of a chart. */
export interface ChartFacts {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string | undefined;
  /** Constraint on the Kubernetes version. */
  readonly kubeVersion: string | undefined;
}

const wantedKeys: ReadonlySet<string> = new Set(["apiVersion", "name", "version", "appVersion", "kubeVersion", "type"]);
const largestKeptCharacters = 16 * 1024;

/** Parses a Chart.yaml, and rejects one that cannot be installed. */
export function parseChartYaml(text: string): ChartFacts {
  const { apiVersion, name, version, appVersion, kubeVersion, type } = readMapping(text);
  if (apiVersion !== "v1" && apiVersion !== "v2")
    throw new BadArchive("has a Chart.yaml whose apiVersion is not v1 or v2");
  if (name === undefined || version === undefined) throw new BadArchive("has a Chart.yaml without a name or a version");
  if (type === "library") throw new BadArchive("is a library chart, which cannot be installed");
  if (type !== undefined && type !== "application") throw new BadArchive("has a Chart.yaml with an unknown type");
  return { name, version, appVersion, kubeVersion };
}

/** Parses only the wanted keys: annotations of charts can be very long. */
function readMapping(text: string): Partial<Record<string, string>> {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const reduced = plain.trimStart().startsWith("{") ? plain : keepKeys(plain, wantedKeys);
  if (reduced.length > largestKeptCharacters) throw new BadArchive("has a Chart.yaml that is too large");
  const value = parseText(reduced);
  // In failsafe YAML every value is the text as it is written, so that a version 1.10 keeps its zero.
  const entries = Object.entries(value).filter(([, item]) => typeof item === "string" && item !== "");
  return Object.fromEntries(entries) as Record<string, string>;
}

function parseText(text: string): Record<string, unknown> {
  try {
    const value: unknown = parse(text, { schema: "failsafe", logLevel: "error" });
    if (isRecord(value)) return value;
  } catch {
    // The content is not quoted.
  }
  throw new BadArchive("has an invalid Chart.yaml");
}
