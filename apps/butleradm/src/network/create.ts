import { NetworkPool } from "@butler/api";
import { renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession } from "@butler/cli-session";
import { Command } from "commander";
import { objectName } from "../common/words.ts";
import { createObject } from "../common/writing.ts";
import { type AddressRange, buildPool } from "./pool-plan.ts";
import { type PoolOptions, rangeOption, reserveOption, showHint, withPoolOptions } from "./pool-options.ts";

interface CreateOptions extends PoolOptions {
  readonly range?: readonly AddressRange[];
}

/** `butleradm network create`. */
export function createCommand(terminal: Terminal): Command {
  const command = new Command("create")
    .description("Create a network pool")
    .argument("<pool>", "name of the pool", objectName)
    .requiredOption("--cidr <network>", "CIDR of the pool, such as 10.40.0.0/16")
    .addOption(rangeOption("--range", "range to allocate addresses from; may be repeated (default: the whole network)"))
    .addOption(reserveOption());
  withPoolOptions(command).action(
    inSession<CreateOptions>(terminal, async (session, options, name) => {
      const { namespace, dryRun, cidr, range, reserve, nodesPerTenant, lbPerTenant } = options;
      const wish = { cidr, ranges: range, reserved: reserve, nodesPerTenant, lbPerTenant };
      const object = buildPool({ name, namespace }, wish);
      await createObject(session, NetworkPool, { object, dryRun });
      if (dryRun) terminal.print(renderValue(object, "yaml"));
      else terminal.say(`The pool ${name} was created. ${showHint(name, namespace)}`);
    }),
  );
  return withExamples(command, [
    "butleradm network create datacenter --cidr 10.40.0.0/16 --range 10.40.1.0-10.40.15.255 --reserve 10.40.0.0/24=Switches",
  ]);
}
