import { withExamples } from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import { UsageError } from "@butler/cli-kit";
import { Command } from "commander";

/** The options of commands about one team. */
export interface TeamOptions extends SessionOptions {
  readonly team?: string;
}

/** A command about one team, which is named by an argument or by `--team`. */
export function teamCommand(name: string, description: string, examples: readonly string[]): Command {
  return withExamples(new Command(name).description(description), examples)
    .argument("[team]", "name of the team (default: the team that owns the context's namespace)")
    .option("--team <team>", "name of the team (same as the argument)");
}

/** The team from the argument or from `--team`, if any. */
export function namedTeam(positional: string | undefined, { team }: TeamOptions): string | undefined {
  if (positional === undefined || team === undefined || positional === team) return positional ?? team;
  throw new UsageError(`conflicting team names: "${positional}" and "${team}"`, { hint: "Pass only one of them." });
}
