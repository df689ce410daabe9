import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { selectTools } from "./lock-file.ts";
import { aToolsLock } from "./testing/fake-tool.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";
import { checkToolVersion } from "./tool-version.ts";

async function check(script: string, expectedOutput?: readonly string[]): Promise<void> {
  const file = join(await temporaryDirectory(), "program");
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  const [tool] = selectTools(aToolsLock(["one"]), ["one"]);
  if (tool !== undefined) await checkToolVersion({ ...tool, ...(expectedOutput && { expectedOutput }) }, file);
}

describe("checkToolVersion", () => {
  it("reads the version from stdout or stderr", async () => {
    await check("echo one version 1.2.3");
    await check("echo plugin one v1.2.3 >&2");
  });

  it("runs the program without the environment of this process", async () => {
    await check('[ -z "$HOME" ] && echo 1.2.3');
  });

  it.each([
    ["another version", "echo 1.2.4", undefined, 'expected one to be v1.2.3, but it printed "1.2.4"'],
    ["a failure", "echo 1.2.3; exit 1", undefined, "one does not run on this machine"],
    [
      "a missing feature",
      "echo 1.2.3",
      ["{number}", "seccomp"],
      'expected one to print "seccomp", but it printed "1.2.3"',
    ],
  ])("refuses %s", async (_what, script, expectedOutput, message) => {
    await expect(check(script, expectedOutput)).rejects.toThrow(message);
  });

  it("accepts a program without a version if none is expected", async () => {
    await check("echo Usage: --some-flag", ["--some-flag"]);
  });
});
