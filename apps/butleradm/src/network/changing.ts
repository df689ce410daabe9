import { IPAllocation, namespaces, NetworkPool, ProviderConfig } from "@butler/api";
import { renderValue, shellCommand, type Terminal, UsageError, wholeNumber, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { keyOf, keyText } from "@butler/resource";
import { Conflict, nameSome } from "@butler/std";
import { Command, InvalidArgumentError, Option } from "commander";
import { objectName, repeated } from "../common/words.ts";
import { changeFromCurrent, confirmLoss, createObject, deleteObject } from "../common/writing.ts";
import { requirePool } from "./find-pool.ts";
import {
  type AddressRange,
  buildPool,
  isResize,
  parseRange,
  parseReserved,
  planResize,
  type Reserved,
  type Resize,
} from "./pool-plan.ts";

interface PoolOptions extends SessionOptions {
  readonly namespace: string;
  readonly cidr?: string;
  readonly nodesPerTenant?: number;
  readonly lbPerTenant?: number;
  readonly dryRun?: boolean;
}

interface CreateOptions extends PoolOptions {
  readonly range?: readonly AddressRange[];
  readonly reserve?: readonly Reserved[];
}

const namespaceOption = (): Option =>
  new Option("-n, --namespace <namespace>", "namespace of the pool").default(namespaces.system);
const dryRunOption = (): Option =>
  new Option("--dry-run", "validate on the server and print the result without changing anything");
const sizeOptions = (): readonly Option[] => [
  new Option("--nodes-per-tenant <number>", "default number of node addresses per cluster").argParser(
    wholeNumber(1, 65_536),
  ),
  new Option("--lb-per-tenant <number>", "default number of load balancer addresses per cluster").argParser(
    wholeNumber(1, 65_536),
  ),
];
const rangeOption = (flag: string, text: string): Option =>
  new Option(`${flag} <first-last>`, text).argParser(readRange);
const reserveOption = (): Option =>
  new Option(
    "--reserve <cidr[=text]>",
    "block to exclude from allocation, with an optional description; may be repeated",
  ).argParser((word: string, before: readonly Reserved[] | undefined) => [...(before ?? []), parseReserved(word)]);

function readRange(word: string, before: readonly AddressRange[] | undefined): readonly AddressRange[] {
  const range = parseRange(word);
  if (range !== undefined) return [...(before ?? []), range];
  throw new InvalidArgumentError("Must be two addresses in ascending order, such as 10.40.1.0-10.40.15.255.");
}

/** `butleradm network create`. */
export function createCommand(terminal: Terminal): Command {
  const command = new Command("create")
    .description("Create a network pool")
    .argument("<pool>", "name of the pool", objectName)
    .requiredOption("--cidr <network>", "network of the pool, such as 10.40.0.0/16")
    .addOption(rangeOption("--range", "range to allocate addresses from; may be repeated (default: the whole network)"))
    .addOption(reserveOption())
    .addOption(namespaceOption())
    .addOption(dryRunOption());
  for (const option of sizeOptions()) command.addOption(option);
  command.action(async (name: string, _options, self: Command) => {
    const options = self.optsWithGlobals<CreateOptions>();
    const { namespace, dryRun, cidr, range, reserve, nodesPerTenant, lbPerTenant } = options;
    const wish = { cidr, ranges: range, reserved: reserve, nodesPerTenant, lbPerTenant };
    await withSession(terminal, options, async (session) => {
      const object = buildPool({ name, namespace }, wish);
      await createObject(session, NetworkPool, { object, dryRun });
      if (dryRun) terminal.print(renderValue(object, "yaml"));
      else terminal.say(`The pool ${name} was created. ${seeIt(name, namespace)}`);
    });
  });
  return withExamples(command, [
    "butleradm network create datacenter --cidr 10.40.0.0/16 --range 10.40.1.0-10.40.15.255 --reserve 10.40.0.0/24=Switches",
  ]);
}

function seeIt(name: string, namespace: string): string {
  const place = namespace === namespaces.system ? [] : ["-n", namespace];
  return `Show it with: ${shellCommand("butleradm", "network", "show", name, ...place)}`;
}

interface ResizeOptions extends PoolOptions {
  readonly addRange?: readonly AddressRange[];
  readonly removeRange?: readonly AddressRange[];
  readonly reserve?: readonly Reserved[];
  readonly unreserve?: readonly string[];
}

/** `butleradm network resize`. */
export function resizeCommand(terminal: Terminal): Command {
  const command = new Command("resize")
    .description("Extend a pool or change its allocatable ranges; addresses in use must stay in the pool")
    .argument("<pool>", "name of the pool")
    .option("--cidr <network>", "larger network that contains the current one")
    .addOption(rangeOption("--add-range", "additional range to allocate from; may be repeated"))
    .addOption(rangeOption("--remove-range", "range to stop allocating from; may be repeated"))
    .addOption(reserveOption())
    .addOption(
      new Option("--unreserve <cidr>", "block to remove from the reserved blocks; may be repeated").argParser(repeated),
    )
    .addOption(namespaceOption())
    .addOption(dryRunOption());
  for (const option of sizeOptions()) command.addOption(option);
  command.action(async (name: string, _options, self: Command) => {
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
      else terminal.say(`The pool ${name} was updated. ${seeIt(name, namespace)}`);
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
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<DeleteOptions>();
      const { namespace, yes } = options;
      await withSession(terminal, options, async (session) => {
        const pool = await requirePool(session, { name, namespace });
        const [claims, providers] = await Promise.all([
          readList(session, IPAllocation, { namespace }),
          readList(session, ProviderConfig, {}),
        ]);
        requireUnused(pool, { claims, providers });
        await confirmLoss(terminal, { word: name, loss: `This deletes the pool ${name} (${pool.spec.cidr}).`, yes });
        const outcome = await deleteObject(session, { kind: NetworkPool, object: pool, what: `the pool ${name}` });
        terminal.say(`The pool ${name} ${outcome === "gone" ? "was deleted" : "is being deleted"}.`);
      });
    });
  return withExamples(command, ["butleradm network delete datacenter", "butleradm network delete datacenter --yes"]);
}

interface PoolUsers {
  readonly claims: readonly IPAllocation[];
  readonly providers: readonly ProviderConfig[];
}

/** Fails while a pool has allocations or is referenced by a provider. */
export function requireUnused({ metadata: { name, namespace } }: NetworkPool, { claims, providers }: PoolUsers): void {
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
    throw new Conflict(`addresses of the pool ${name} are in use: ${nameSome(held.sort())}; nothing was deleted`, {
      hint: "Delete those clusters first. List the allocations with: butleradm network allocations list",
    });
  }
  if (drawing.length === 0) return;
  throw new Conflict(`providers use the pool ${name}: ${nameSome(drawing.sort())}; nothing was deleted`, {
    hint: "Remove it from their network.poolRefs first.",
  });
}
