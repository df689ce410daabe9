import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";

const execute = promisify(execFile);

/** The charts that tests install; what each is good for is in its `Chart.yaml`. */
export type TestChart = "web" | "crd-and-cr" | "stateful" | "breaks-halfway" | "never-ready" | "umbrella";

/** How a test's chart is packed. */
export interface PackChartOptions {
  /** Where the package goes. */
  readonly folder: string;
  readonly version?: string | undefined;
  readonly appVersion?: string | undefined;
}

/** The folder of a chart, as it is in the repository. One with `parts/` has to be packed before it can be used. */
export function testChartFolder(chart: TestChart): string {
  return fileURLToPath(new URL(`charts/${chart}`, import.meta.url));
}

/** Packs a chart with the real helm, its parts within it, and gives the path of the package. */
export async function packChart(chart: TestChart, { folder, version, appVersion }: PackChartOptions): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), "butler-pack-chart-"));
  try {
    const copy = join(scratch, chart);
    await cp(testChartFolder(chart), copy, { recursive: true });
    const parts = join(copy, "parts");
    for (const part of await readdir(parts).catch(() => [])) {
      await helmPackage({ chart: join(parts, part), folder: join(copy, "charts"), home: scratch, flags: [] });
    }
    const flags = [
      ...(version === undefined ? [] : [`--version=${version}`]),
      ...(appVersion === undefined ? [] : [`--app-version=${appVersion}`]),
    ];
    return await helmPackage({ chart: copy, folder, home: scratch, flags });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface HelmPackage {
  readonly chart: string;
  readonly folder: string;
  readonly home: string;
  readonly flags: readonly string[];
}

async function helmPackage({ chart, folder, home, flags }: HelmPackage): Promise<string> {
  const { helm } = await ensureTools(["helm"]);
  const args = ["package", chart, `--destination=${folder}`, ...flags];
  const { stdout } = await execute(helm, args, { env: { HOME: home } });
  // The last word is the path of what was made.
  return join(folder, basename(stdout.trim().split(": ").at(-1) ?? ""));
}
