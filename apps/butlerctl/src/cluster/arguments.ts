import { UsageError, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import type { SessionOptions } from "@butler/cli-session";

/** The options of commands about one cluster. */
export interface ClusterOptions extends SessionOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly team?: string;
}

const clusterName = /^[a-z0-9]([-a-z0-9]{0,52}[a-z0-9])?$/;

/** A command about one cluster, which is named by its place or by `--name`. */
export function clusterCommand(name: string, description: string, examples: readonly string[]): Command {
  return withExamples(new Command(name).description(description), examples)
    .argument("[name]", "name of the cluster")
    .option("--name <name>", "name of the cluster, instead of its place")
    .option("-n, --namespace <namespace>", "namespace of the cluster")
    .option("--team <team>", "team of the cluster, whose namespace is looked in");
}

/** The name that a command was given, by its place or by `--name`. */
export function requireName(positional: string | undefined, { name }: ClusterOptions): string {
  const given = optionalName(positional, { name });
  if (given !== undefined) return given;
  throw new UsageError("the name of the cluster is missing", {
    hint: 'Write it after the command; "butlerctl cluster list" shows the clusters there are.',
  });
}

/** The same where the name may come from elsewhere. */
export function optionalName(
  positional: string | undefined,
  { name }: { name?: string | undefined },
): string | undefined {
  if (positional !== undefined && name !== undefined && positional !== name) {
    throw new UsageError(`two names are given: "${positional}" and "${name}"`, { hint: "Leave one of them out." });
  }
  const given = positional ?? name;
  if (given === undefined || clusterName.test(given)) return given;
  throw new UsageError(`"${given}" cannot be the name of a cluster`, {
    hint: "Names have at most 54 lower-case letters, digits and '-', and begin and end with a letter or digit.",
  });
}
