import { InvalidInput, Unavailable } from "@butler/std";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { Interrupted, QuietFailure, UsageError } from "./cli-errors.ts";
import { confirmByTyping } from "./confirm.ts";
import { timeoutOption, wholeNumber } from "./option-values.ts";
import { runCli } from "./run-cli.ts";
import { paperTerminal } from "./testing/paper-terminal.ts";

function program(action: (options: Record<string, unknown>) => void | Promise<void> = () => undefined): Command {
  const list = new Command("list")
    .option("--team <team>", "a team")
    .option("--count <number>", "a number", wholeNumber(1, 9))
    .addOption(timeoutOption("15m"))
    .action(action);
  return new Command("tool").addCommand(new Command("thing").description("things").addCommand(list));
}

async function run(words: string, action?: (options: Record<string, unknown>) => void | Promise<void>) {
  const terminal = paperTerminal();
  const code = await runCli(program(action), words.split(" "), terminal);
  return { code, printed: terminal.printed, said: terminal.said.join("\n") };
}

describe("runCli", () => {
  it("exits with 0 on success", async () => {
    let seen: unknown;
    expect(await run("thing list --timeout 90s", (options) => void (seen = options))).toMatchObject({
      code: 0,
      said: "",
    });
    expect(seen).toEqual({ timeout: 90_000 });
  });

  it.each([
    [
      "thing list --tem x",
      "tool: unknown option '--tem'\n(Did you mean --team?)\nRun \"tool thing list --help\" for usage.",
    ],
    ["thnig list", "tool: unknown command 'thnig'\n(Did you mean thing?)"],
    ["thing lst", "tool: unknown command 'lst'\n(Did you mean list?)"],
    ["thing list --count 10", "integer from 1 to 9"],
    ["thing list --count 1.5", "integer from 1 to 9"],
    ["thing list --timeout soon", "such as 90s, 15m or 1h30m"],
    ["thing list --timeout 0", "a duration greater than 0"],
    ["thing list more", "too many arguments"],
  ])("exits with 2 for %s", async (words, said) => {
    const { code, printed, ...rest } = await run(words);
    expect({ code, printed }).toEqual({ code: 2, printed: [] });
    expect(rest.said).toContain(said);
  });

  it("prints help on standard output when requested, and when no subcommand is given", async () => {
    expect(await run("thing list --help")).toMatchObject({ code: 0, said: "" });
    expect(await run("thing")).toMatchObject({ code: 0 });
  });

  it.each([
    [new UsageError("two names are given", { hint: "Leave one out." }), 2, "tool: two names are given\nLeave one out."],
    [new InvalidInput("it is refused:\n  one\n  two"), 1, "tool: it is refused:\n  one\n  two"],
    [
      new Unavailable("it is away", { cause: new Error("no route"), hint: "Wait." }),
      6,
      "tool: it is away\n  cause: no route\nWait.",
    ],
    [
      new Unavailable("it is away: no route", { cause: new Error("no route"), hint: "Wait." }),
      6,
      "tool: it is away: no route\nWait.",
    ],
    [new QuietFailure(), 1, ""],
    [new TypeError("broken\u001B[2J"), 1, "tool: broken[2J"],
    [new Interrupted(), 130, "tool: interrupted"],
  ])("prints %s and exits with %i", async (error, code, said) => {
    const outcome = await run("thing list", () => {
      throw error;
    });
    expect(outcome).toEqual({ code, printed: [], said });
  });

  it("exits with 130 after an interrupt, whatever error follows", async () => {
    const terminal = paperTerminal();
    const code = await runCli(
      program(() => {
        terminal.stop(new Interrupted());
        throw new Error("socket closed");
      }),
      ["thing", "list"],
      terminal,
    );
    expect({ code, said: terminal.said }).toEqual({ code: 130, said: ["tool: interrupted"] });
  });
});

describe("confirmByTyping", () => {
  const confirmation = { word: "blue", question: "Type the name:", flag: "--yes" };

  it.each([
    ["blue", true],
    [" blue ", true],
    ["Blue", false],
    ["", false],
    ["y", false],
  ])("treats %j as %s", async (answer, isSure) => {
    const terminal = paperTerminal({ isInteractive: true, ask: () => Promise.resolve(answer) });
    expect(await confirmByTyping(terminal, confirmation)).toBe(isSure);
  });

  it("fails in a non-interactive terminal", async () => {
    await expect(confirmByTyping(paperTerminal(), confirmation)).rejects.toMatchObject({
      code: "USAGE",
      hint: "Pass --yes to confirm.",
    });
  });
});
