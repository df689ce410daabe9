import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createGunzip } from "node:zlib";
import { type ChartMetadata, readTar } from "@butler/helm";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import { parse } from "yaml";

/** A Butler chart on this machine. */
export interface LocalChart {
  readonly path: string;
  readonly metadata: ChartMetadata;
  /** Default values of the chart. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Reads the metadata and values of a chart directory or package; by default the chart shipped with this program. */
export async function readChart(named: string | undefined): Promise<LocalChart> {
  const path = named === undefined ? await (await import("@butler/butler/chart")).ownChart() : resolve(named);
  const files = await readParts(path);
  const metadata = parsed(path, files.chart);
  const { name, version, appVersion, kubeVersion } = metadata;
  if (name !== "butler" || typeof version !== "string") {
    throw new InvalidInput(`${path} is not a Butler chart`, { hint: "Use the chart from a Butler release." });
  }
  const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
  return {
    path,
    metadata: { name, version, appVersion: text(appVersion), kubeVersion: text(kubeVersion) },
    values: parsed(path, files.values),
  };
}

interface Parts {
  readonly chart: string;
  readonly values: string;
}

async function readParts(path: string): Promise<Parts> {
  try {
    if ((await stat(path)).isDirectory()) {
      const read = (name: string): Promise<string> => readFile(join(path, name), "utf8");
      return { chart: await read("Chart.yaml"), values: await read("values.yaml") };
    }
    return await readPacked(path);
  } catch (error) {
    throw new InvalidInput(`cannot read the chart ${path}: ${describeError(error)}`, {
      hint: "Pass a chart directory, or a package created with helm package.",
    });
  }
}

async function readPacked(path: string): Promise<Parts> {
  const parts = { chart: "", values: "" };
  const places: Readonly<Record<string, keyof Parts>> = { "Chart.yaml": "chart", "values.yaml": "values" };
  const placeOf = (name: string): keyof Parts | undefined => places[/^[^/]+\/([^/]+)$/.exec(name)?.[1] ?? ""];
  const bytes = createReadStream(path).pipe(createGunzip());
  for await (const { name, content } of readTar(bytes, (entry) => placeOf(entry.name) !== undefined)) {
    const place = placeOf(name);
    if (place !== undefined && content !== undefined) parts[place] = content.toString("utf8");
  }
  return parts;
}

function parsed(path: string, text: string): Record<string, unknown> {
  const value: unknown = parse(text);
  if (isRecord(value)) return value;
  throw new InvalidInput(`the chart ${path} has no Chart.yaml or values.yaml`);
}
