import { withExamples } from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import { UsageError } from "@butler/cli-kit";
import { Command } from "commander";

/** The options of commands about one team. */
export interface TeamOptions extends SessionOptions {
  readonly team?: string;
}

/** A command about one team, which is named by its place or by `--team`. */
export function teamCommand(name: string, description: string, examples: readonly string[]): Command {
  return withExamples(new Command(name).description(description), examples)
    .argument("[team]", "name of the team; that of the context's namespace when absent")
    .option("--team <team>", "name of the team, instead of its place");
}

/** The team that a command was given, if it was. */
export function namedTeam(positional: string | undefined, { team }: TeamOptions): string | undefined {
  if (positional === undefined || team === undefined || positional === team) return positional ?? team;
  throw new UsageError(`two teams are given: "${positional}" and "${team}"`, { hint: "Leave one of them out." });
}
