import { NetworkPool } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { readList } from "@butler/cli-session";
import { Command } from "commander";
import { asList, byKey, listAction, type ListOptions } from "../common/listing.ts";
import { poolView } from "./pool-view.ts";

interface PoolListOptions extends ListOptions {
  readonly namespace?: string;
}

/** `butleradm network list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(
    new Command("list")
      .alias("ls")
      .description("List the network pools and their usage")
      .option("-n, --namespace <namespace>", "namespace of the pools (default: all namespaces)"),
  ).action(
    listAction<NetworkPool, PoolListOptions>(terminal, async (session, { namespace }) => {
      const objects = (await readList(session, NetworkPool, { namespace })).sort(byKey);
      const view = poolView(() => terminal.clock.now());
      return { view, objects, whenEmpty: "No network pools found. Create one with: butleradm network create" };
    }),
  );
  return withExamples(command, ["butleradm network list", "butleradm network list -o wide"]);
}
