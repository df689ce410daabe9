import { timeoutOption, UsageError, withExamples } from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import { Command, Option } from "commander";
import { requireName } from "../cluster/arguments.ts";

/** The options of commands about add-ons of one cluster. */
export interface AddonOptions extends SessionOptions {
  readonly cluster?: string;
  readonly addon?: string;
  readonly namespace?: string;
  readonly team?: string;
}

/** A command about one add-on of one cluster, each named by an argument or by an option. */
export function addonCommand(name: string, description: string, examples: readonly string[]): Command {
  return withPlaces(withExamples(new Command(name).description(description), examples))
    .argument("[cluster]", "name of the cluster")
    .argument("[addon]", "name of the add-on")
    .option("--addon <addon>", "name of the add-on (same as the argument)");
}

/** Adds the options that locate the cluster. */
export function withPlaces(command: Command): Command {
  return command
    .option("--cluster <cluster>", "name of the cluster (same as the argument)")
    .option("-n, --namespace <namespace>", "namespace of the cluster")
    .option("--team <team>", "team that owns the cluster");
}

/** The options of commands that support `--dry-run`. */
export interface DryRunOptions {
  readonly dryRun?: boolean;
  readonly output: "yaml" | "json";
}

/** Adds `--dry-run` and its output format. */
export function withDryRun(command: Command, description: string): Command {
  const formats = new Option("-o, --output <format>", "output format of --dry-run").choices(["yaml", "json"]);
  return command.option("--dry-run", description).addOption(formats.default("yaml"));
}

/** The options of commands that support `--wait`. */
export interface WaitOptions {
  readonly wait?: boolean;
  readonly timeout: number;
}

/** Adds `--wait` and `--timeout`. */
export function withWait(command: Command): Command {
  return command.option("--wait", "wait until the add-on is ready and print progress").addOption(timeoutOption("15m"));
}

/** What a command is about. */
export interface AddonNames {
  readonly cluster: string;
  readonly addon: string;
}

/** The command that an action is of, and the names it was given. */
export interface GivenAddon {
  readonly self: Command;
  readonly names: AddonNames;
}

/** Reads what Commander hands to an action: the arguments, the options, and last the command itself. */
export function givenAddon(given: readonly unknown[]): GivenAddon {
  const self = given.at(-1) as Command;
  return { self, names: requireNames(self.args, self.optsWithGlobals<AddonOptions>()) };
}

/** The names that a command was given. With `--cluster` the first place is the add-on's. */
function requireNames(words: readonly string[], options: AddonOptions): AddonNames {
  const [first, second] = words;
  const isClusterNamed = options.cluster !== undefined && words.length < 2;
  const cluster = requireName(isClusterNamed ? undefined : first, named(options.cluster));
  const placed = isClusterNamed ? first : second;
  if (placed !== undefined && options.addon !== undefined && placed !== options.addon) {
    throw new UsageError(`conflicting add-on names: "${placed}" and "${options.addon}"`, {
      hint: "Pass only one of them.",
    });
  }
  const addon = placed ?? options.addon;
  if (addon !== undefined) return { cluster, addon };
  throw new UsageError("the add-on name is required", {
    hint: `Pass it after the cluster name. List the cluster's add-ons with "butlerctl addon list ${cluster}", or all available add-ons with "butlerctl addon catalog".`,
  });
}

function named(cluster: string | undefined): { readonly name?: string } {
  return cluster === undefined ? {} : { name: cluster };
}
