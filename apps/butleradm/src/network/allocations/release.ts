import { IPAllocation, namespaces, TenantCluster } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, type SessionOptions } from "@butler/cli-session";
import { isBeingDeleted, keyText } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";
import { Command } from "commander";
import { confirmLoss, deleteObject } from "../../common/writing.ts";
import { addressText } from "../pool-view.ts";

interface ReleaseOptions extends SessionOptions {
  readonly namespace: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** `butleradm network allocations release`. */
export function releaseCommand(terminal: Terminal): Command {
  const command = new Command("release")
    .description("Release the addresses of a deleted cluster; released addresses are quarantined before reuse")
    .argument("<allocation>", "name of the IPAllocation")
    .option("-n, --namespace <namespace>", "namespace of the IPAllocation", namespaces.system)
    .option("--force", "release the addresses even if the cluster still exists; the cluster then loses them")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(
      inSession<ReleaseOptions>(terminal, async (session, options, name) => {
        const { namespace, force, yes } = options;
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
        const loss = `This releases ${addressText(claim)} from ${keyText(tenantClusterRef)}.`;
        await confirmLoss(terminal, { word: name, loss, yes });
        await deleteObject(session, { kind: IPAllocation, object: claim, what: `the allocation ${name}` });
        const left = await client.find(IPAllocation, { name, namespace }, signal);
        terminal.say(`${name} was released${left === undefined ? "" : restText(left)}.`);
      }),
    );
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
    ? "; its addresses are quarantined before reuse"
    : `; quarantined until ${status.quarantineUntil}`;
}
