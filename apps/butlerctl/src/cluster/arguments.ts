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

/** A command about one cluster, which is named by an argument or by `--name`. */
export function clusterCommand(name: string, description: string, examples: readonly string[]): Command {
  return withExamples(new Command(name).description(description), examples)
    .argument("[name]", "name of the cluster")
    .option("--name <name>", "name of the cluster (same as the argument)")
    .option("-n, --namespace <namespace>", "namespace of the cluster")
    .option("--team <team>", "team that owns the cluster");
}

/** The cluster name from the argument or from `--name`. */
export function requireName(positional: string | undefined, { name }: ClusterOptions): string {
  const given = optionalName(positional, { name });
  if (given !== undefined) return given;
  throw new UsageError("the cluster name is required", {
    hint: "Pass it as an argument. List clusters with: butlerctl cluster list",
  });
}

/** The same for commands that do not require a name. */
export function optionalName(
  positional: string | undefined,
  { name }: { name?: string | undefined },
): string | undefined {
  if (positional !== undefined && name !== undefined && positional !== name) {
    throw new UsageError(`conflicting cluster names: "${positional}" and "${name}"`, {
      hint: "Pass only one of them.",
    });
  }
  const given = positional ?? name;
  if (given === undefined || clusterName.test(given)) return given;
  throw new UsageError(`invalid cluster name "${given}"`, {
    hint: "A name must consist of at most 54 lowercase letters, digits or '-', and start and end with a letter or digit.",
  });
}
