// `npm test`: brings the engine's binaries, runs every test there is and ends with the line `N passed, N failed`.
// `npm test -- packages/kube` runs the tests below a folder.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterApiTools, earlierKubernetes, ensureTools, localEngineTools } from "@butler/engine";
import { repositoryRoot } from "./steps.ts";
import { countResults, type VitestReport } from "./test-counts.ts";

await ensureTools([...localEngineTools, ...clusterApiTools, "kubeadm", "helm"]);
// Upgrades are tried out from the minor version before.
await ensureTools(Object.keys(earlierKubernetes.lock.tools), { set: earlierKubernetes });

const folder = await mkdtemp(join(tmpdir(), "butler-test-"));
const report = join(folder, "report.json");
try {
  const code = await runVitest(process.argv.slice(2));
  const counts = countResults(JSON.parse(await readFile(report, "utf8")) as VitestReport);
  const isGreen = code === 0 && counts.failed === 0 && counts.passed > 0;
  // A run that broke off without a failing test is a failure all the same.
  const failed = isGreen ? 0 : Math.max(1, counts.failed);
  console.log(`${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`);
  process.exitCode = isGreen ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function runVitest(filters: readonly string[]): Promise<number> {
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...filters];
  return new Promise((resolve, reject) => {
    const child = spawn("vitest", args, { cwd: repositoryRoot, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
