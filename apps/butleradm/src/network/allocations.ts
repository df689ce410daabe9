import { IPAllocation, namespaces, TenantCluster } from "@butler/api";
import { type ObjectView, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { isBeingDeleted, keyText, parseKeyText, withoutManagedFields } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";
import { Command } from "commander";
import { asList, type ListOptions, printList } from "../common/listing.ts";
import { confirmLoss, deleteObject } from "../common/writing.ts";
import { addressText, claimView } from "./pool-view.ts";
import { byAddress } from "./show.ts";

/** `butleradm network allocations`, with all of its commands. */
export function allocationsGroup(terminal: Terminal): Command {
  const group = new Command("allocations")
    .alias("allocation")
    .description("Who has addresses: look, and give them back");
  for (const command of [listCommand, releaseCommand]) group.addCommand(command(terminal));
  return group;
}

interface AllocationListOptions extends ListOptions {
  readonly namespace?: string;
  readonly pool?: string;
  readonly cluster?: string;
}

function view(now: () => Date): ObjectView<IPAllocation> {
  const { nameOf, columns } = claimView(now);
  const pool = { title: "POOL", value: ({ spec }: IPAllocation) => spec.poolRef.name };
  const namespace = {
    title: "NAMESPACE",
    value: ({ metadata }: IPAllocation) => metadata.namespace ?? "",
    isWide: true,
  };
  return { nameOf, columns: [namespace, pool, ...columns] };
}

/** Whether a claim is the one that a list asks for. */
export function isAsked(
  { spec: { poolRef, tenantClusterRef } }: IPAllocation,
  { pool, cluster }: Pick<AllocationListOptions, "pool" | "cluster">,
): boolean {
  const wanted = cluster === undefined ? undefined : parseKeyText(cluster);
  const isOfCluster =
    wanted === undefined ||
    (wanted.name === tenantClusterRef.name &&
      (wanted.namespace === undefined || wanted.namespace === tenantClusterRef.namespace));
  return isOfCluster && (pool === undefined || poolRef.name === pool);
}

function listCommand(terminal: Terminal): Command {
  const command = asList(new Command("list"))
    .alias("ls")
    .description("List who has addresses of which pool")
    .option("-n, --namespace <namespace>", "allocations of one namespace; those of all when absent")
    .option("--pool <pool>", "only addresses of this pool")
    .option("--cluster <cluster>", "only addresses of this cluster, as NAME or NAMESPACE/NAME")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<AllocationListOptions>();
      await withSession(terminal, options, async (session) => {
        const claims = await readList(session, IPAllocation, { namespace: options.namespace });
        const objects = claims
          .filter((claim) => isAsked(claim, options))
          .sort(byAddress)
          .map(withoutManagedFields);
        const whenEmpty = "Nobody has such addresses.";
        printList(terminal, { view: view(() => terminal.clock.now()), objects, options, whenEmpty });
      });
    });
  return withExamples(command, [
    "butleradm network allocations list",
    "butleradm network allocations list --pool datacenter --cluster payments/shop",
  ]);
}

interface ReleaseOptions extends SessionOptions {
  readonly namespace: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

function releaseCommand(terminal: Terminal): Command {
  const command = new Command("release")
    .description(
      "Give back the addresses of a cluster that is gone; they rest for a while before somebody else gets them",
    )
    .argument("<allocation>", "name of the IPAllocation")
    .option("-n, --namespace <namespace>", "namespace of the IPAllocation", namespaces.system)
    .option("--force", "also when the cluster is there, which loses these addresses then")
    .option("-y, --yes", "do not ask")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<ReleaseOptions>();
      const { namespace, force, yes } = options;
      await withSession(terminal, options, async (session) => {
        const { client, signal } = session;
        const claim = await client.find(IPAllocation, { name, namespace }, signal);
        if (claim === undefined) throw missing(name, namespace);
        if (isBeingDeleted(claim)) {
          terminal.say(`${name} is given back already${restText(claim)}.`);
          return;
        }
        const { tenantClusterRef } = claim.spec;
        const owner = await client.find(TenantCluster, tenantClusterRef, signal);
        if (owner !== undefined && force !== true) throw inUse(claim);
        const loss = `This gives back ${addressText(claim)} of ${keyText(tenantClusterRef)}.`;
        await confirmLoss(terminal, { word: name, loss, yes });
        await deleteObject(session, { kind: IPAllocation, object: claim, what: `the allocation ${name}` });
        const left = await client.find(IPAllocation, { name, namespace }, signal);
        terminal.say(`${name} is given back${left === undefined ? "" : restText(left)}.`);
      });
    });
  return withExamples(command, [
    "butleradm network allocations release shop-lb",
    "butleradm network allocations release shop-lb --force --yes",
  ]);
}

function missing(name: string, namespace: string): NotFound {
  return new NotFound(`there is no allocation ${name} in namespace ${namespace}`, {
    hint: "See those that there are with: butleradm network allocations list",
  });
}

function inUse({ metadata, spec }: IPAllocation): Conflict {
  return new Conflict(
    `${metadata.name} is in use by the cluster ${keyText(spec.tenantClusterRef)}; nothing was given back`,
    {
      hint: "Its addresses come back when it is destroyed. Add --force if it shall lose them before.",
    },
  );
}

function restText({ status }: IPAllocation): string {
  return status?.quarantineUntil === undefined
    ? "; its addresses rest for a while"
    : `; rests until ${status.quarantineUntil}`;
}
