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
  const group = new Command("allocations").alias("allocation").description("List and release address allocations");
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

/** Whether a claim matches the filters of a list. */
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
    .description("List address allocations by pool and cluster")
    .option("-n, --namespace <namespace>", "namespace of the allocations (default: all namespaces)")
    .option("--pool <pool>", "only allocations from this pool")
    .option("--cluster <cluster>", "only allocations of this cluster, as NAME or NAMESPACE/NAME")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<AllocationListOptions>();
      await withSession(terminal, options, async (session) => {
        const claims = await readList(session, IPAllocation, { namespace: options.namespace });
        const objects = claims
          .filter((claim) => isAsked(claim, options))
          .sort(byAddress)
          .map(withoutManagedFields);
        const whenEmpty = "No allocations found.";
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
    .description("Release the addresses of a deleted cluster; they are quarantined before they are allocated again")
    .argument("<allocation>", "name of the IPAllocation")
    .option("-n, --namespace <namespace>", "namespace of the IPAllocation", namespaces.system)
    .option("--force", "release them even if the cluster still exists, which then loses these addresses")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<ReleaseOptions>();
      const { namespace, force, yes } = options;
      await withSession(terminal, options, async (session) => {
        const { client, signal } = session;
        const claim = await client.find(IPAllocation, { name, namespace }, signal);
        if (claim === undefined) throw missing(name, namespace);
        if (isBeingDeleted(claim)) {
          terminal.say(`${name} is already released${restText(claim)}.`);
          return;
        }
        const { tenantClusterRef } = claim.spec;
        const owner = await client.find(TenantCluster, tenantClusterRef, signal);
        if (owner !== undefined && force !== true) throw inUse(claim);
        const loss = `This releases ${addressText(claim)} of ${keyText(tenantClusterRef)}.`;
        await confirmLoss(terminal, { word: name, loss, yes });
        await deleteObject(session, { kind: IPAllocation, object: claim, what: `the allocation ${name}` });
        const left = await client.find(IPAllocation, { name, namespace }, signal);
        terminal.say(`${name} was released${left === undefined ? "" : restText(left)}.`);
      });
    });
  return withExamples(command, [
    "butleradm network allocations release shop-lb",
    "butleradm network allocations release shop-lb --force --yes",
  ]);
}

function missing(name: string, namespace: string): NotFound {
  return new NotFound(`allocation ${name} not found in namespace ${namespace}`, {
    hint: "List them with: butleradm network allocations list",
  });
}

function inUse({ metadata, spec }: IPAllocation): Conflict {
  return new Conflict(
    `${metadata.name} is in use by the cluster ${keyText(spec.tenantClusterRef)}; nothing was released`,
    {
      hint: "Deleting the cluster releases its addresses. Add --force to release them while it exists.",
    },
  );
}

function restText({ status }: IPAllocation): string {
  return status?.quarantineUntil === undefined
    ? "; its addresses are quarantined for a while"
    : `; quarantined until ${status.quarantineUntil}`;
}
