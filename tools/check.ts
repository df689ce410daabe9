// `npm run check`: format, lint, types, import directions, unused code, generated files, voice, the lock file,
// licenses, known vulnerabilities. All checks run,
// so that one call shows every problem.
import { runStep, type Step, type StepResult } from "./steps.ts";

const steps: readonly Step[] = [
  { name: "format", command: "prettier", args: ["--check", "--log-level=warn", "."] },
  { name: "lint", command: "oxlint", args: ["--type-aware", "--deny-warnings"] },
  { name: "types", command: "node", args: ["node_modules/typescript-native/bin/tsc", "-p", "."] },
  { name: "types of pages", command: "node", args: ["node_modules/typescript-native/bin/tsc", "-p", "apps/console"] },
  {
    name: "import directions",
    command: "depcruise",
    args: [
      "--config",
      ".dependency-cruiser.cjs",
      "apps",
      "controllers",
      "engine",
      "packages",
      "providers",
      "test",
      "tools",
    ],
  },
  { name: "unused code", command: "knip", args: ["--no-progress"] },
  { name: "generated files", command: "node", args: ["tools/generate.ts", "--check"] },
  { name: "voice", command: "node", args: ["tools/voice.ts"] },
  { name: "lock file", command: "node", args: ["tools/complete-lock.ts", "--check"] },
  { name: "licenses", command: "node", args: ["tools/supply-chain/licence-gate.ts"] },
  { name: "known vulnerabilities", command: "node", args: ["tools/supply-chain/audit.ts"] },
  // npm's own check of the same file and of whether it matches every package.json. It installs and fetches nothing.
  { name: "npm ci", command: "npm", args: ["ci", "--dry-run", "--offline", "--loglevel=error"] },
];

// Most steps use one CPU. Results are printed in order, each as soon as all steps before it have finished.
let failures = 0;
const waiting = [...steps];
const results = new Map<Step, StepResult>();
const printed = new Set<Step>();
const work = async (): Promise<void> => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    results.set(step, await runStep(step));
    printFinished();
  }
};
await Promise.all([work(), work()]);

function printFinished(): void {
  for (const step of steps) {
    const result = results.get(step);
    if (result === undefined) return;
    if (printed.has(step)) continue;
    printed.add(step);
    const { code, seconds, output } = result;
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${step.name} (${seconds.toFixed(1)} s)`);
    if (code === 0) {
      // A check that could not run, such as one that needs a registry, says so.
      if (output.startsWith("not checked")) console.log(`       ${output.trimEnd()}`);
      continue;
    }
    failures++;
    console.log(output.trimEnd());
  }
}

if (failures > 0)
  console.log(
    `\n${failures} of ${steps.length} checks failed. To fix what can be fixed automatically, run npm run format, npm run generate and npm run complete-lock.`,
  );
process.exitCode = failures > 0 ? 1 : 0;
