import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";

const execute = promisify(execFile);

/** The test charts; the purpose of each is in its `Chart.yaml`. */
export type TestChart = "web" | "crd-and-cr" | "stateful" | "breaks-halfway" | "never-ready" | "umbrella";

/** Options for packaging a test chart. */
export interface PackChartOptions {
  /** Target folder. */
  readonly folder: string;
  readonly version?: string | undefined;
  readonly appVersion?: string | undefined;
}

/** The folder of a chart in the repository. One with `parts/` must be packaged before use. */
export function testChartFolder(chart: TestChart): string {
  return fileURLToPath(new URL(`charts/${chart}`, import.meta.url));
}

/** Packages a chart and its subcharts with the real helm, and returns the path of the package. */
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
  // The last word of the output is the path.
  return join(folder, basename(stdout.trim().split(": ").at(-1) ?? ""));
}
