import { annotations, clusterPhase, TenantCluster } from "@butler/api";
import {
  ageOf,
  confirmByTyping,
  type Fact,
  factLines,
  shellCommand,
  type Terminal,
  timeoutOption,
} from "@butler/cli-kit";
import { keyOf, keyText } from "@butler/resource";
import { decideDeletion, type Refusal } from "@butler/cluster-operations";
import { Conflict, InvalidInput, NotFound } from "@butler/std";
import type { Command } from "commander";
import { type Session } from "@butler/cli-session";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { workersText } from "@butler/diagnosis";
import { environmentOf, versionText } from "./cluster-view.ts";
import { onCluster } from "./on-cluster.ts";
import { explainRefusal } from "@butler/changes";
import { waitForGone } from "./wait-for-cluster.ts";

interface DestroyOptions extends ClusterOptions {
  readonly yes?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
}

/** `butlerctl cluster destroy`. */
export function destroyCommand(terminal: Terminal): Command {
  return clusterCommand("destroy", "Delete a cluster and everything in it", [
    "butlerctl cluster destroy blue",
    "butlerctl cluster destroy blue -n payments --yes --wait --timeout 20m",
  ])
    .option("-y, --yes", "skip the confirmation prompt")
    .option("--wait", "wait until the cluster is deleted")
    .addOption(timeoutOption("30m"))
    .action(
      onCluster<DestroyOptions>(
        terminal,
        async (session, cluster, options) => {
          await destroy({ terminal, session, options }, cluster);
          if (options.wait) {
            await waitForGone({ terminal, session, timeoutMs: options.timeout }, cluster);
            terminal.say(`${cluster.metadata.name} was deleted.`);
          }
        },
        ({ yes }) => yes === true,
      ),
    );
}

interface Destroying {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: DestroyOptions;
}

async function destroy({ terminal, session, options }: Destroying, cluster: TenantCluster): Promise<void> {
  const { name, namespace = "" } = cluster.metadata;
  const why = `If deletion takes a long time, find out why with: ${shellCommand("butlerctl", "cluster", "why", name, "-n", namespace)}`;
  const decision = decideDeletion(cluster);
  if (decision.state === "unchanged") {
    terminal.say(`${decision.message}. ${why}`);
    return;
  }
  if (decision.state === "refused") throw protectedError(decision.refusal, cluster);
  const { uid } = decision;
  if (!options.yes) await confirm(terminal, cluster);
  try {
    // By its uid: a cluster with the same name that was created after the confirmation must not be deleted.
    await session.client.delete(TenantCluster, keyOf(cluster), { uid, signal: session.signal });
  } catch (error) {
    if (error instanceof NotFound) return;
    if (error instanceof Conflict) {
      throw new Conflict(`${name} was replaced by another cluster with the same name; nothing was deleted`, {
        cause: error,
      });
    }
    throw explainRefusal(`deleting ${name}`, error);
  }
  terminal.say(`${keyText(cluster.metadata)} is being deleted. ${why}`);
}

async function confirm(terminal: Terminal, cluster: TenantCluster): Promise<void> {
  const { name } = cluster.metadata;
  for (const line of destructionSummary(cluster, terminal.clock.now())) terminal.say(line);
  const question = `Type the name of the cluster to delete it:`;
  if (await confirmByTyping(terminal, { word: name, question, flag: "--yes" })) return;
  throw new InvalidInput("the name does not match; nothing was deleted");
}

/** What is deleted with a cluster, line by line. */
export function destructionSummary(cluster: TenantCluster, now: Date): string[] {
  const { metadata, spec } = cluster;
  const environment = environmentOf(cluster);
  const facts: readonly Fact[] = [
    ["Team", spec.teamRef?.name],
    ["Environment", environment],
    ["Phase", clusterPhase(cluster)],
    ["Kubernetes", versionText(cluster)],
    ["Workers", `${workersText(cluster)} ready`],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
  return [
    `This permanently deletes the cluster ${keyText(metadata)}, including its control plane`,
    "and state, its worker machines and their disks, and its address allocations.",
    "This cannot be undone.",
    ...factLines(facts, 13).map((line) => `  ${line}`),
  ];
}

function protectedError({ message }: Refusal, { metadata }: TenantCluster): InvalidInput {
  const { name, namespace = "" } = metadata;
  const annotation = `${annotations.deletionProtection}-`;
  const lift = shellCommand("kubectl", "annotate", "-n", namespace, "tenantcluster", name, annotation);
  const hint = `Remove the deletion protection first: ${lift}`;
  return new InvalidInput(`${message}; nothing was deleted`, { hint });
}
