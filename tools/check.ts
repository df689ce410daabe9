// `npm run check`: format, lint, types, import directions, unused code, generated files. Everything is run, so that one
// call shows all that is wrong.
import { runStep, type Step } from "./steps.ts";

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
];

let failures = 0;
for (const step of steps) {
  const { code, seconds, output } = await runStep(step);
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${step.name} (${seconds.toFixed(1)} s)`);
  if (code !== 0) {
    failures++;
    console.log(output.trimEnd());
  }
}
if (failures > 0)
  console.log(
    `\n${failures} of ${steps.length} checks failed. npm run format and npm run generate repair what can be repaired.`,
  );
process.exitCode = failures > 0 ? 1 : 0;
