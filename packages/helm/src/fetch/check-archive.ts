import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { type ChartFacts, parseChartYaml } from "./chart-metadata.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";
import type { FetchLimits } from "./limits.ts";
import { BadArchive, decode } from "./tar-header.ts";
import { readTar, type TarEntry } from "./tar-reader.ts";
import { isSameVersion } from "./version-choice.ts";

/** The expected chart of an archive. */
export interface ExpectedChart {
  readonly name: string;
  readonly version: string;
  readonly host: string;
}

const largestChartYaml = 1024 * 1024;
/** Below this size the ratio is not checked. */
const smallBytes = 1024 * 1024;

/** Reads a whole archive without writing its files, and rejects it unless it is the expected chart. */
export async function checkArchive(
  path: string,
  expected: ExpectedChart,
  { limits, signal }: { readonly limits: FetchLimits; readonly signal: AbortSignal },
): Promise<ChartFacts> {
  try {
    const facts = await inspect(path, limits, signal);
    if (facts.name !== expected.name)
      throw new BadArchive(`contains a different chart, ${JSON.stringify(facts.name.slice(0, 100))}`);
    if (isSameVersion(facts.version, expected.version)) return facts;
    throw new BadArchive(`contains a different version, ${JSON.stringify(facts.version.slice(0, 100))}`);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof BadArchive)) throw error;
    const { name, version, host } = expected;
    throw new ChartUnavailable("ChartInvalid", `the archive of ${name} ${version} from ${host} ${error.message}`, {
      hint: "The archive was not passed to Helm. Ask the chart maintainer to package the chart with helm package.",
    });
  }
}

async function inspect(path: string, limits: FetchLimits, signal: AbortSignal): Promise<ChartFacts> {
  const chart = new ChartContents(limits.archiveEntries);
  const source = unpacked(path, limits, signal);
  for await (const entry of readTar(source, (next) => chart.isChartYaml(next))) chart.add(entry);
  return chart.facts();
}

/** The content of an archive read so far. */
class ChartContents {
  readonly #mostEntries: number;
  readonly #seen = new Set<string>();
  #entries = 0;
  #root: string | undefined;
  #facts: ChartFacts | undefined;

  constructor(mostEntries: number) {
    this.#mostEntries = mostEntries;
  }

  isChartYaml({ name, kind, size }: Omit<TarEntry, "content">): boolean {
    const parts = archivePath(name);
    if (kind !== "file" || parts.length !== 2 || parts[1] !== "Chart.yaml") return false;
    if (size > largestChartYaml) throw new BadArchive("has a Chart.yaml that is too large");
    return true;
  }

  add({ name, kind, content }: TarEntry): void {
    this.#entries += 1;
    if (this.#entries > this.#mostEntries) throw new BadArchive(`has more than ${this.#mostEntries} entries`);
    const parts = archivePath(name);
    const [root = ""] = parts;
    this.#root ??= root;
    if (root !== this.#root) throw new BadArchive("has more than one folder at the top level");
    if (kind === "folder") return;
    // Whether inside the chart's folder or not: Helm reads a link in an archive as an empty file.
    if (kind === "link") throw new BadArchive("contains a link, which Helm would read as an empty file");
    if (name.endsWith("/")) throw new BadArchive("contains a file with the same name as a folder");
    if (parts.length === 1) throw new BadArchive("has a file outside the chart's folder");
    const path = parts.join("/");
    if (this.#seen.has(path)) throw new BadArchive(`contains ${JSON.stringify(path.slice(0, 200))} more than once`);
    this.#seen.add(path);
    if (content !== undefined) this.#facts = parseChartYaml(decode(content));
  }

  facts(): ChartFacts {
    if (this.#facts === undefined) throw new BadArchive("has no Chart.yaml");
    return this.#facts;
  }
}

async function* unpacked(path: string, limits: FetchLimits, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { size } = await stat(path);
  const mostBytes = Math.min(limits.unpackedBytes, Math.max(smallBytes, size * limits.unpackRatio));
  const file = createReadStream(path, { highWaterMark: 64 * 1024 });
  const gunzip = pipeline(file, createGunzip({ chunkSize: 64 * 1024 }), () => undefined);
  let total = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      total += chunk.length;
      if (total > mostBytes) throw new BadArchive(`exceeds the uncompressed size limit of ${mostBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    const isPacking = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    throw isPacking ? new BadArchive("is not a gzip archive, or is damaged") : error;
  }
}

/** The segments of an entry's path, starting with the chart's folder. Rejects paths outside of it. */
function archivePath(name: string): readonly string[] {
  const trimmed = name.endsWith("/") ? name.slice(0, -1) : name;
  if (trimmed === "" || trimmed.length > 1024) throw new BadArchive("contains an entry without a valid name");
  if (/[\p{Cc}\\]/u.test(trimmed)) throw new BadArchive("contains a name with a backslash or a control character");
  if (trimmed.startsWith("/") || /^[A-Za-z]:/.test(trimmed)) throw new BadArchive("contains an absolute path");
  const parts = trimmed.split("/");
  if (parts.includes("..")) throw new BadArchive("contains a path that leads outside the archive (..)");
  if (parts.includes("") || parts.includes(".")) throw new BadArchive('contains a path with an empty or "." segment');
  return parts;
}
