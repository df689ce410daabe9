import { Argument, Command } from "commander";
import { describe, expect, it } from "vitest";
import { withGlobalOptions } from "../loudness.ts";
import { outputOption } from "../output.ts";
import { paperTerminal } from "../testing/paper-terminal.ts";
import { completionOf } from "./complete.ts";
import { type NameQuestion, runCompletion } from "./run-completion.ts";

function program(): Command {
  const scale = new Command("scale")
    .description("Scale it")
    .argument("[name]", "its name")
    .option("--team <team>", "a team")
    .option("--wait", "wait")
    .addOption(outputOption(["table", "json"]));
  const enable = new Command("enable").argument("<cluster>", "a cluster").argument("[addon...]", "add-ons");
  const shell = new Command("shell").addArgument(new Argument("<kind>", "which").choices(["bash", "fish"]));
  return withGlobalOptions(new Command("tool"))
    .addCommand(new Command("cluster").alias("clusters").addCommand(scale).addCommand(enable))
    .addCommand(shell)
    .addCommand(new Command("secret"), { hidden: true });
}

const wordsOf = (words: readonly string[]): string[] =>
  completionOf(program(), words).candidates.map(({ word }) => word);

describe("completionOf", () => {
  it.each([
    [[""], ["cluster", "shell"]],
    [["c"], ["cluster"]],
    [["x"], []],
    [
      ["cluster", ""],
      ["scale", "enable"],
    ],
    [["clusters", "s"], ["scale"]],
    [["--kubeconfig", "x", "cluster", "e"], ["enable"]],
    [["cluster", "scale", "--t"], ["--team"]],
    [["cluster", "scale", "--k"], ["--kubeconfig"]],
    [
      ["cluster", "scale", "-o", ""],
      ["table", "json"],
    ],
    [["cluster", "scale", "-o", "j"], ["json"]],
    [["cluster", "scale", "--output=t"], ["--output=table"]],
    [["cluster", "scale", "--output", "=", "t"], ["table"]],
    [["shell", "f"], ["fish"]],
    [["shell", "--", "b"], ["bash"]],
    [["shell", "bash", ""], []],
  ])("after %j suggests %j", (words, candidates) => {
    expect(wordsOf(words)).toEqual(candidates);
  });

  it.each([
    [["cluster", "scale", ""], "cluster"],
    [["cluster", "scale", "--wait", "b"], "cluster"],
    [["cluster", "scale", "--team", ""], "team"],
    [["cluster", "enable", ""], "cluster"],
    [["cluster", "enable", "blue", ""], "addon"],
    [["cluster", "enable", "blue", "web", ""], "addon"],
    [["cluster", ""], undefined],
    [["--context", ""], "context"],
    [["--kubeconfig", ""], "file"],
  ])("after %j asks for names of the sort %s", (words, sort) => {
    expect(completionOf(program(), words).sort).toBe(sort);
  });

  it("passes the typed words to sources", () => {
    const words = ["cluster", "enable", "--team=web", "--context", "x", "blue", "a"];
    expect(completionOf(program(), words).typed).toEqual({ options: { context: "x" }, places: ["blue"] });
    const scaled = ["cluster", "scale", "--team=web", ""];
    expect(completionOf(program(), scaled).typed.options).toEqual({ team: "web" });
  });
});

describe("runCompletion", () => {
  const run = async (words: readonly string[], team: (question: NameQuestion) => Promise<readonly string[]>) => {
    const terminal = paperTerminal();
    const running = runCompletion({ program: program(), words, sources: { team } }, terminal);
    return { terminal, running };
  };

  it("prints candidates with descriptions, then the directive for files", async () => {
    const { terminal, running } = await run(["cluster", "s"], () => Promise.resolve([]));
    await running;
    expect(terminal.printed).toEqual(["scale\tScale it\n:4"]);
    const files = await run(["--kubeconfig", ""], () => Promise.resolve([]));
    await files.running;
    expect(files.terminal.printed).toEqual([":0"]);
  });

  it("prints names that start with the word", async () => {
    const { terminal, running } = await run(["cluster", "scale", "--team=p"], () => Promise.resolve(["pay", "web"]));
    await running;
    expect(terminal.printed).toEqual(["--team=pay\n:4"]);
  });

  it("prints no error when a source fails", async () => {
    const { terminal, running } = await run(["cluster", "scale", "--team", ""], () => Promise.reject(new Error("off")));
    await running;
    expect({ printed: terminal.printed, said: terminal.said }).toEqual({ printed: [":4"], said: [] });
  });

  it("times out quickly, and aborts the source", async () => {
    let asked: AbortSignal | undefined;
    const { terminal, running } = await run(["cluster", "scale", "--team", ""], ({ signal }) => {
      asked = signal;
      return new Promise(() => undefined);
    });
    terminal.clock.advance(1_500);
    await running;
    expect(terminal.printed).toEqual([":4"]);
    expect(asked?.aborted).toBe(true);
    expect(terminal.clock.pending).toBe(0);
  });
});
