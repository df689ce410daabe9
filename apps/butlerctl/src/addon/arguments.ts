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

/** A command about one add-on of one cluster, each named by its place or by an option. */
export function addonCommand(name: string, description: string, examples: readonly string[]): Command {
  return withPlaces(withExamples(new Command(name).description(description), examples))
    .argument("[cluster]", "name of the cluster")
    .argument("[addon]", "name of the add-on")
    .option("--addon <addon>", "name of the add-on, instead of its place");
}

/** Adds the options that say where the cluster is. */
export function withPlaces(command: Command): Command {
  return command
    .option("--cluster <cluster>", "name of the cluster, instead of its place")
    .option("-n, --namespace <namespace>", "namespace of the cluster")
    .option("--team <team>", "team of the cluster, whose namespace is looked in");
}

/** The options of commands that only say, with `--dry-run`, what an object would be. */
export interface DryRunOptions {
  readonly dryRun?: boolean;
  readonly output: "yaml" | "json";
}

/** Adds `--dry-run`, and in which form it prints. */
export function withDryRun(command: Command, description: string): Command {
  const formats = new Option("-o, --output <format>", "form of what --dry-run prints").choices(["yaml", "json"]);
  return command.option("--dry-run", description).addOption(formats.default("yaml"));
}

/** The options of commands that can wait for what they have asked for. */
export interface WaitOptions {
  readonly wait?: boolean;
  readonly timeout: number;
}

/** Adds `--wait`, and for how long. */
export function withWait(command: Command): Command {
  return command.option("--wait", "wait until everything is ready, and tell each step").addOption(timeoutOption("15m"));
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
    throw new UsageError(`two add-ons are given: "${placed}" and "${options.addon}"`, {
      hint: "Leave one of them out.",
    });
  }
  const addon = placed ?? options.addon;
  if (addon !== undefined) return { cluster, addon };
  throw new UsageError("the name of the add-on is missing", {
    hint: `Write it after the cluster; "butlerctl addon list ${cluster}" shows those that it has, "butlerctl addon catalog" those there are.`,
  });
}

function named(cluster: string | undefined): { readonly name?: string } {
  return cluster === undefined ? {} : { name: cluster };
}
