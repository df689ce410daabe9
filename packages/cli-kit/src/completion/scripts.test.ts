import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completionScript, type Shell, shells } from "./scripts.ts";

const folder = mkdtempSync(join(tmpdir(), "butler-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that prints the words it was called with. */
beforeAll(() => {
  const tool =
    '#!/bin/sh\n[ "$1" = __complete ] || exit 1\nshift\nprintf "%s\\n" "blue\tthe first" "asked:$#:$*" ":4"\n';
  writeFileSync(join(folder, "tool"), tool, { mode: 0o755 });
});

const isInstalled = (shell: Shell): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

/** Bash's completions for a line of these words, with the cursor after the last one. */
function completeInBash(...words: readonly string[]): string[] {
  const script = `${completionScript("bash", "tool")}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}
__tool_complete
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  return execFileSync("bash", ["--norc", "-c", script], { env, encoding: "utf8" }).trimEnd().split("\n");
}

describe("completionScript", () => {
  it("calls the program in bash, and suggests words without descriptions", () => {
    expect(completeInBash("tool", "cluster", "b")).toEqual(["blue", "asked:2:cluster b"]);
    expect(completeInBash("tool", "")).toEqual(["blue", "asked:1:"]);
    expect(completeInBash("tool", "--team", "=", "x")).toEqual(["blue", "asked:3:--team = x"]);
  });

  it("registers itself in bash", () => {
    const script = `${completionScript("bash", "tool")}\ncomplete -p tool`;
    expect(execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" }).trim()).toBe(
      "complete -F __tool_complete tool",
    );
  });

  it.each(shells.map((shell) => [shell, isInstalled(shell)] as const))(
    "is valid %s (installed here: %s)",
    (shell, isHere) => {
      const script = completionScript(shell, "tool");
      expect(script).toContain("__complete");
      if (!isHere) return;
      const file = join(folder, `script.${shell}`);
      writeFileSync(file, script);
      expect(spawnSync(shell, ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    },
  );
});
