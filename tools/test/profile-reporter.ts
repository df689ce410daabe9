import { writeFile } from "node:fs/promises";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { repositoryRoot } from "../steps.ts";
import type { FileCost } from "./profile.ts";

/** Adds what vitest's JSON report lacks: the project of each file, and its time with hooks and imports. */
class ProfileReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const file = process.env["BUTLER_TEST_COSTS"];
    if (file !== undefined) await writeFile(file, JSON.stringify(modules.map(costOf)));
  }
}

function costOf(module: TestModule): FileCost {
  const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } = module.diagnostic();
  const milliseconds = duration + collectDuration + setupDuration + prepareDuration + environmentSetupDuration;
  return {
    project: module.project.name,
    file: relative(repositoryRoot, module.moduleId),
    seconds: milliseconds / 1_000,
    tests: [...module.children.allTests()].length,
  };
}

// eslint-disable-next-line import/no-default-export -- vitest takes a reporter that is given by its path as default export
export default ProfileReporter;
