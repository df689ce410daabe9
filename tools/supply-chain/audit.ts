// Part of `npm run check`: fails when a dependency has a known severe vulnerability. Without a registry that answers,
// which includes working offline, it says so and succeeds.
import { spawn } from "node:child_process";
import { repositoryRoot } from "../steps.ts";
import { judgeAudit } from "./audit-report.ts";

/** One short attempt: a check must not wait for a network. */
const args = ["audit", "--json", "--package-lock-only", "--fetch-retries=0", "--fetch-timeout=10000"];

const verdict = judgeAudit(await outputOf("npm", args));
if (verdict.type === "unavailable") console.log(`not checked: the registry has no report (${verdict.why})`);
if (verdict.type === "vulnerable") {
  console.log([...verdict.found, "Update these packages; npm audit shows the versions."].join("\n"));
  process.exitCode = 1;
}

/** The standard output, whatever the exit code: npm fails when it finds something. */
function outputOf(command: string, given: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, given, { cwd: repositoryRoot, stdio: ["ignore", "pipe", "ignore"], timeout: 60_000 });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", () => resolve(""));
    child.on("close", () => resolve(output));
  });
}
