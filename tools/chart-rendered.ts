import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";
import type { KubeObject } from "@butler/resource";
import { parseAllDocuments } from "yaml";
import { chartFolder } from "./chart-files.ts";
import type { ChartValue } from "./chart-values.ts";
import { repositoryRoot } from "./steps.ts";

const run = promisify(execFile);

/** Options of rendering the chart in tests. */
export interface ChartRendering {
  /** A directory or a package; defaults to the chart of this checkout. */
  readonly chart?: string;
  readonly values?: object;
  readonly namespace?: string;
  readonly flags?: readonly string[];
}

/** Values merged with additional ones. */
export function mergedValues(
  base: object,
  further: readonly ChartValue[],
  give: (value: ChartValue) => unknown,
): object {
  const tree = structuredClone(base) as Record<string, unknown>;
  for (const value of further) {
    const names = value.path.split(".");
    const last = names.pop() ?? "";
    let node = tree;
    for (const name of names) node = (node[name] ??= {}) as Record<string, unknown>;
    node[last] = give(value);
  }
  return tree;
}

/** Runs the engine's own helm on the chart, offline, and returns its output; throws with its error output. */
export async function helmOnChart(command: "lint" | "template", rendering: ChartRendering = {}): Promise<string> {
  const { chart = join(repositoryRoot, chartFolder), values = {}, namespace = "butler-system", flags = [] } = rendering;
  const { helm } = await ensureTools(["helm"]);
  const folder = await mkdtemp(join(tmpdir(), "butler-chart-test-"));
  try {
    const file = join(folder, "values.json");
    await writeFile(file, JSON.stringify(values));
    const names = command === "template" ? ["butler"] : [];
    const args = [command, ...names, chart, `--namespace=${namespace}`, `--values=${file}`, ...flags];
    const { stdout } = await run(helm, args, { maxBuffer: 64 << 20 });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Packs the chart into a directory, and returns the path of the package. */
export async function packChart(into: string): Promise<string> {
  const { helm } = await ensureTools(["helm"]);
  await run(helm, ["package", join(repositoryRoot, chartFolder), "--destination", into]);
  const [name = ""] = await readdir(into);
  return join(into, name);
}

/** The rendered objects of the chart, by kind, namespace and name. */
export async function renderChart(rendering: ChartRendering = {}): Promise<Record<string, KubeObject>> {
  const text = await helmOnChart("template", rendering);
  // Such a line starts a document anywhere, even inside a quoted text.
  return byKey(text.split(/^(?=---(?:\s|$))/m).flatMap(parsedOnce));
}

/** Most documents are the same in every rendering, and parsing the largest takes longer than helm takes for all. */
const parsed = new Map<string, readonly KubeObject[]>();
function parsedOnce(text: string): readonly KubeObject[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const documents = parseAllDocuments(text) as readonly { toJS(): unknown }[];
  const objects = documents.map((document) => document.toJS() as KubeObject);
  parsed.set(text, objects);
  return objects;
}

/** Objects by kind, namespace and name, as serialized. Duplicates are an error. */
export function byKey(objects: readonly KubeObject[]): Record<string, KubeObject> {
  const entries = objects.map((object): [string, KubeObject] => {
    const { kind, metadata } = object;
    return [`${kind} ${metadata.namespace ?? ""}/${metadata.name}`, JSON.parse(JSON.stringify(object)) as KubeObject];
  });
  const found = Object.fromEntries(entries);
  if (Object.keys(found).length !== entries.length) throw new Error("two objects have the same kind and name");
  return found;
}
