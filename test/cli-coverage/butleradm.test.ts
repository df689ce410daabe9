import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { butleradm } from "@butler/butleradm/program";
import { processTerminal } from "@butler/cli-kit";
import { describe, expect, it } from "vitest";
import { type CommandTree, leafCommands, unnamedIn } from "./leaf-commands.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The sources of tests that run the real butleradm as a process. */
async function testsOfTheBinary(): Promise<string[]> {
  const texts: string[] = [];
  for await (const path of glob("{apps/butleradm/src,test}/**/*.test.ts", { cwd: root })) {
    const text = await readFile(join(root, path), "utf8");
    const runsIt =
      /useHarness\(|runButleradm\(|new OperatorWithButleradm\(|bin\/butleradm|new URL\("[./]*(?:apps\/butleradm\/src\/)?main\.ts"/.test(
        text,
      );
    if (runsIt && !path.startsWith("test/cli-coverage/")) texts.push(text);
  }
  return texts;
}

describe("the commands of butleradm", () => {
  it("are each run as a process by a test", async () => {
    const leaves = leafCommands(await butleradm.build(processTerminal()));
    expect(leaves).toContain("network allocations release");
    expect(unnamedIn(await testsOfTheBinary(), leaves)).toEqual([]);
  });
});

describe("unnamedIn", () => {
  const tree: CommandTree = {
    name: () => "program",
    commands: [
      { name: () => "a", commands: [{ name: () => "b", commands: [] }] },
      { name: () => "c", commands: [] },
    ],
  };

  it("finds commands without a test, and does not match parts of other commands", () => {
    expect(leafCommands(tree)).toEqual(["a b", "c"]);
    const run = (text: string) => unnamedIn([text], ["a b", "c"]);
    expect(run('run("a b --yes"); run(`c ${x}`)')).toEqual([]);
    expect(run('run(["a", "b"]); run("c")')).toEqual([]);
    expect(run('run("a bc"); run("a c")')).toEqual(["a b", "c"]);
    expect(run("a b c")).toEqual(["a b", "c"]);
  });
});
