import { Bug } from "@butler/std";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addLazily, type LazyCommand } from "./lazy-commands.ts";
import { loudnessOf } from "./loudness.ts";

function commands(loaded: string[]): readonly LazyCommand[] {
  const lazy = (name: string, ...aliases: string[]): LazyCommand => ({
    names: [name, ...aliases],
    load: (words) => {
      loaded.push(words === undefined ? name : `${name}(${words.join(" ")})`);
      const command = new Command(name);
      for (const alias of aliases) command.alias(alias);
      return Promise.resolve(command);
    },
  });
  return [lazy("cluster", "clusters"), lazy("version")];
}

describe("addLazily", () => {
  it.each([
    [["cluster", "list"], ["cluster(list)"]],
    [["clusters"], ["cluster()"]],
    [["--kubeconfig", "version", "cluster", "x"], ["cluster(x)"]],
    [["--kubeconfig=x", "version"], ["version()"]],
    [["clster"], ["cluster", "version"]],
    [
      ["help", "cluster"],
      ["cluster", "version"],
    ],
    [["--help"], ["cluster", "version"]],
    [[], ["cluster", "version"]],
    [undefined, ["cluster", "version"]],
  ])("for %j loads %j", async (words, expected) => {
    const loaded: string[] = [];
    await addLazily(new Command("tool").option("--kubeconfig <file>", "a file"), commands(loaded), words);
    expect(loaded).toEqual(expected);
  });

  it("rejects a command that is registered under other names than its own", async () => {
    const wrong: LazyCommand = { names: ["list", "ls"], load: () => Promise.resolve(new Command("list")) };
    await expect(addLazily(new Command("tool"), [wrong], undefined)).rejects.toBeInstanceOf(Bug);
  });
});

describe("loudnessOf", () => {
  it.each([
    [["list"], "usual"],
    [["list", "-q"], "quiet"],
    [["--quiet", "list"], "quiet"],
    [["list", "--verbose"], "verbose"],
    [["shell", "--", "--verbose", "-q"], "usual"],
  ])("%j is %s", (words, loudness) => {
    expect(loudnessOf(words)).toBe(loudness);
  });
});
