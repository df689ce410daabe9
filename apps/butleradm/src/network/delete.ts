import { IPAllocation, NetworkPool, ProviderConfig } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, readList } from "@butler/cli-session";
import { keyOf, keyText } from "@butler/resource";
import { Conflict, nameSome } from "@butler/std";
import { Command } from "commander";
import { confirmLoss, deleteObject } from "../common/writing.ts";
import { requirePool } from "./find-pool.ts";
import { type PoolOptions, namespaceOption } from "./pool-options.ts";

interface DeleteOptions extends PoolOptions {
  readonly yes?: boolean;
}

/** `butleradm network delete`. */
export function deleteCommand(terminal: Terminal): Command {
  const command = new Command("delete")
    .aliases(["rm", "remove"])
    .description("Delete an unused pool")
    .argument("<pool>", "name of the pool")
    .addOption(namespaceOption())
    .option("-y, --yes", "skip the confirmation prompt")
    .action(
      inSession<DeleteOptions>(terminal, async (session, options, name) => {
        const { namespace, yes } = options;
        const pool = await requirePool(session, { name, namespace });
        const [claims, providers] = await Promise.all([
          readList(session, IPAllocation, { namespace }),
          readList(session, ProviderConfig, {}),
        ]);
        requireUnused(pool, { claims, providers });
        await confirmLoss(terminal, { word: name, loss: `This deletes the pool ${name} (${pool.spec.cidr}).`, yes });
        const outcome = await deleteObject(session, { kind: NetworkPool, object: pool, what: `the pool ${name}` });
        terminal.say(`The pool ${name} ${outcome === "gone" ? "was deleted" : "is being deleted"}.`);
      }),
    );
  return withExamples(command, ["butleradm network delete datacenter", "butleradm network delete datacenter --yes"]);
}

interface PoolUsers {
  readonly claims: readonly IPAllocation[];
  readonly providers: readonly ProviderConfig[];
}

/** Fails while a pool has allocations or is referenced by a provider. */
function requireUnused({ metadata: { name, namespace } }: NetworkPool, { claims, providers }: PoolUsers): void {
  const held = claims
    .filter(({ spec, status }) => spec.poolRef.name === name && status?.phase === "Allocated")
    .map(({ metadata, spec }) => `${metadata.name} (${keyText(spec.tenantClusterRef)})`);
  const drawing = providers
    .filter(({ metadata, spec }) => {
      const isNear = metadata.namespace === namespace;
      return isNear && (spec.network?.poolRefs ?? []).some((reference) => reference.name === name);
    })
    .map((provider) => keyText(keyOf(provider)));
  if (held.length > 0) {
    throw new Conflict(`addresses in the pool ${name} are in use: ${nameSome(held.sort())}; nothing was deleted`, {
      hint: "Delete those clusters first. List the allocations with: butleradm network allocations list",
    });
  }
  if (drawing.length === 0) return;
  throw new Conflict(`providers use the pool ${name}: ${nameSome(drawing.sort())}; nothing was deleted`, {
    hint: "Remove the pool from spec.network.poolRefs of these providers first.",
  });
}
