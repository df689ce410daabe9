import { IPAllocation } from "@butler/api";
import { type ObjectView, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, readList } from "@butler/cli-session";
import { parseKeyText, withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { asList, type ListOptions, printList } from "../../common/listing.ts";
import { claimView } from "../pool-view.ts";
import { byAddress } from "../pool-view.ts";

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
function isAsked(
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

/** `butleradm network allocations list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(new Command("list"))
    .alias("ls")
    .description("List address allocations by pool and cluster")
    .option("-n, --namespace <namespace>", "namespace of the allocations (default: all namespaces)")
    .option("--pool <pool>", "list only allocations from this pool")
    .option("--cluster <cluster>", "list only allocations for this cluster (NAME or NAMESPACE/NAME)")
    .action(
      inSession<AllocationListOptions>(terminal, async (session, options) => {
        const claims = await readList(session, IPAllocation, { namespace: options.namespace });
        const objects = claims
          .filter((claim) => isAsked(claim, options))
          .sort(byAddress)
          .map(withoutManagedFields);
        const whenEmpty = "No allocations found.";
        printList(terminal, { view: view(() => terminal.clock.now()), objects, options, whenEmpty });
      }),
    );
  return withExamples(command, [
    "butleradm network allocations list",
    "butleradm network allocations list --pool datacenter --cluster payments/shop",
  ]);
}
