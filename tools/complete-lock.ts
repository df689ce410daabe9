// `npm run complete-lock`: adds an entry for every optional package to package-lock.json, independent of the platform
// and registry it was written with. With --check it uses no registry, writes nothing and fails when an entry is
// missing.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { completeLock, problemsOf, withoutAdded } from "./lock/complete-lock.ts";
import { type LockFile, printLock } from "./lock/lock-file.ts";
import { repositoryRoot, runStep } from "./steps.ts";

const path = join(repositoryRoot, "package-lock.json");
const before = await readFile(path, "utf8");
const isCheck = process.argv.includes("--check");
const problems = problemsOf(isCheck ? parseLock(before) : await complete());
for (const problem of problems) console.log(problem);
if (problems.length > 0) {
  console.log(
    isCheck
      ? "Run npm run complete-lock and commit the result."
      : "The registry does not have these packages, and their names do not state a platform. Choose versions that it has.",
  );
  process.exitCode = 1;
}

/** npm runs first: it knows what the registry has, and where a package belongs. */
async function complete(): Promise<LockFile> {
  await writeFile(path, printLock(withoutAdded(parseLock(before))));
  const args = ["install", "--package-lock-only", "--no-fund", "--no-audit", "--loglevel=error"];
  const { code, output } = await runStep({ name: "npm install", command: "npm", args });
  if (code !== 0) {
    await writeFile(path, before);
    console.log(output.trimEnd());
    process.exit(1);
  }
  const { lock, added } = completeLock(parseLock(await readFile(path, "utf8")));
  await writeFile(path, printLock(lock));
  for (const entry of added) console.log(`without integrity: ${entry}`);
  if (added.length > 0)
    console.log(
      `The registry does not have these ${added.length} packages. Run this again with a registry that has them.`,
    );
  return lock;
}

function parseLock(text: string): LockFile {
  return JSON.parse(text) as LockFile;
}
