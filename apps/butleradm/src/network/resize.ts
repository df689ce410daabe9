import { NetworkPool } from "@butler/api";
import { renderValue, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import { Command, Option } from "commander";
import { repeated } from "../common/words.ts";
import { changeFromCurrent } from "../common/writing.ts";
import { requirePool } from "./find-pool.ts";
import { type AddressRange, isResize, planResize, type Resize } from "./pool-plan.ts";
import { type PoolOptions, rangeOption, reserveOption, showHint, withPoolOptions } from "./pool-options.ts";

interface ResizeOptions extends PoolOptions {
  readonly addRange?: readonly AddressRange[];
  readonly removeRange?: readonly AddressRange[];
  readonly unreserve?: readonly string[];
}

/** `butleradm network resize`. */
export function resizeCommand(terminal: Terminal): Command {
  const command = new Command("resize")
    .description("Extend a pool or change its allocatable ranges; addresses in use must stay in the pool")
    .argument("<pool>", "name of the pool")
    .option("--cidr <network>", "larger CIDR that contains the current one")
    .addOption(rangeOption("--add-range", "additional range to allocate from; may be repeated"))
    .addOption(rangeOption("--remove-range", "range to stop allocating from; may be repeated"))
    .addOption(reserveOption())
    .addOption(
      new Option("--unreserve <cidr>", "reserved block to make allocatable again; may be repeated").argParser(repeated),
    );
  withPoolOptions(command).action(async (name: string, _options, self: Command) => {
    const options = self.optsWithGlobals<ResizeOptions>();
    const { namespace, dryRun } = options;
    const resize = resizeOf(options);
    if (!isResize(resize)) {
      throw new UsageError("no changes given", {
        hint: "Pass at least one change, such as --cidr 10.40.0.0/15.",
      });
    }
    await withSession(terminal, options, async (session) => {
      const key = { name, namespace };
      await requirePool(session, key);
      const decide = (pool: NetworkPool) => planResize(pool, resize);
      const changed = await changeFromCurrent(session, NetworkPool, { key, decide, dryRun });
      if (dryRun) terminal.print(renderValue(changed.spec, "yaml"));
      else terminal.say(`The pool ${name} was updated. ${showHint(name, namespace)}`);
    });
  });
  return withExamples(command, [
    "butleradm network resize datacenter --cidr 10.40.0.0/15",
    "butleradm network resize datacenter --add-range 10.40.32.0-10.40.63.255 --dry-run",
  ]);
}

function resizeOf(options: ResizeOptions): Resize {
  const { cidr, addRange = [], removeRange = [], reserve = [], unreserve = [], nodesPerTenant, lbPerTenant } = options;
  return { cidr, nodesPerTenant, lbPerTenant, addRanges: addRange, removeRanges: removeRange, reserve, unreserve };
}
