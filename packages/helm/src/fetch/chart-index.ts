import { parse } from "yaml";
import { isRecord } from "@butler/std";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { itemsOfJson, scanJsonIndex, type Span } from "./json-index.ts";
import { Pacer } from "./pacer.ts";
import { itemsOfYaml, scanYamlIndex } from "./yaml-index.ts";
import { keepKeys } from "./yaml-lines.ts";

/** One version of a chart as an index lists it. */
export interface IndexEntry {
  readonly version: string;
  readonly urls: readonly string[];
  /** sha256:..., when the index has one. */
  readonly digest: string | undefined;
}

/** An index before its entries are parsed: the position of the versions of each chart. */
export interface ChartIndex {
  readonly bytes: Buffer;
  readonly host: string;
  readonly charts: ReadonlyMap<string, Span>;
  readonly isJson: boolean;
}

const wantedKeys: ReadonlySet<string> = new Set(["version", "urls", "digest"]);
/** More than any legitimate entry needs. */
const largestEntryBytes = 1024 * 1024;
const largestKeptCharacters = 16 * 1024;
const mostVersions = 20_000;

/** Finds the charts of an index, yielding to the event loop. Real indexes have tens of MiB. */
export async function scanIndex(bytes: Buffer, host: string, signal: AbortSignal): Promise<ChartIndex> {
  let start = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  while (start < bytes.length && " \t\r\n".includes(String.fromCharCode(bytes[start] ?? 0))) start += 1;
  const isJson = bytes[start] === 0x7b;
  const charts = isJson ? await scanJsonIndex(bytes, { start, signal }) : await scanYamlIndex(bytes, signal);
  if (charts !== undefined) return { bytes, host, charts, isJson };
  throw new ChartUnavailable("RepositoryInvalid", `the index.yaml of ${host} is not a chart index`, {
    hint: "Check that the URL points to a chart repository, whose index.yaml lists charts under entries.",
  });
}

/**
 * Reads the versions of one chart. With a version given only those that mention it are read, which saves nearly all of
 * the work in a long list.
 */
export async function entriesOf(
  index: ChartIndex,
  {
    name,
    version,
    signal,
  }: { readonly name: string; readonly version?: string | undefined; readonly signal: AbortSignal },
): Promise<readonly IndexEntry[]> {
  const span = index.charts.get(name);
  if (span === undefined) return [];
  const pacer = new Pacer();
  const entries: IndexEntry[] = [];
  let seen = 0;
  const needle = version?.replace(/^v/, "");
  for (const item of index.isJson ? itemsOfJson(index.bytes, span) : itemsOfYaml(index.bytes, span)) {
    if (pacer.isDue) await pacer.pause(signal);
    if (item === undefined) continue;
    const [start, end] = item;
    const isMentioned = needle === undefined || index.bytes.subarray(start, end).includes(needle);
    const entry = isMentioned && end - start <= largestEntryBytes ? readEntry(index, start, end) : undefined;
    if (entry !== undefined) entries.push(entry);
    seen += 1;
    if (seen > mostVersions) {
      throw new ChartUnavailable(
        "RepositoryTooLarge",
        `${index.host} lists more than ${mostVersions} versions of ${name}`,
      );
    }
  }
  return entries;
}

/** One version; undefined when it is invalid: one bad entry does not invalidate the index. */
function readEntry({ bytes, isJson }: ChartIndex, start: number, end: number): IndexEntry | undefined {
  const text = bytes.toString("utf8", start, end);
  try {
    return entryFrom(isJson ? JSON.parse(text) : parseItem(text.replaceAll("\r\n", "\n")));
  } catch {
    return undefined;
  }
}

function parseItem(text: string): unknown {
  // The dash counts as indentation: what follows is a mapping whose keys stand where the first one does.
  const opened = text.replace("-", " ");
  const [indentText = ""] = /^ *(?=\S)/m.exec(opened.replace(/^ *\r?\n/, "")) ?? [];
  const block = opened
    .split("\n")
    .map((line) => (line.startsWith(indentText) ? line.slice(indentText.length) : line.trimStart()))
    .join("\n");
  const reduced = block.trimStart().startsWith("{") ? block : keepKeys(block, wantedKeys);
  if (reduced === "" || reduced.length > largestKeptCharacters) return undefined;
  // Versions such as 1.10 are strings, not numbers.
  return parse(reduced, { schema: "failsafe", logLevel: "error" });
}

function entryFrom(value: unknown): IndexEntry | undefined {
  if (!isRecord(value)) return undefined;
  const { version, urls, digest } = value;
  if (typeof version !== "string" || !Array.isArray(urls)) return undefined;
  const texts = urls.filter((url): url is string => typeof url === "string" && url !== "");
  return { version, urls: texts, digest: digestOf(digest) };
}

/** Helm writes the digest without the name of its algorithm. */
function digestOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return value.toLowerCase().replace(/^(sha256:)?/, "sha256:");
}
