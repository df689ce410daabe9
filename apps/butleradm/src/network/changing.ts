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
const dryRunOption = (): Option => new Option("--dry-run", "ask whether it could be done, show it, and change nothing");
const sizeOptions = (): readonly Option[] => [
  new Option("--nodes-per-tenant <number>", "node addresses of a cluster that asks for no number").argParser(
    wholeNumber(1, 65_536),
  ),
  new Option("--lb-per-tenant <number>", "load-balancer addresses of a cluster that asks for no number").argParser(
    wholeNumber(1, 65_536),
  ),
];
const rangeOption = (flag: string, text: string): Option =>
  new Option(`${flag} <first-last>`, text).argParser(readRange);
const reserveOption = (): Option =>
  new Option("--reserve <cidr[=text]>", "part that is never handed out, and what for; may be repeated").argParser(
    (word: string, before: readonly Reserved[] | undefined) => [...(before ?? []), parseReserved(word)],
  );

function readRange(word: string, before: readonly AddressRange[] | undefined): readonly AddressRange[] {
  const range = parseRange(word);
  if (range !== undefined) return [...(before ?? []), range];
  throw new InvalidArgumentError("It takes two addresses in order, such as 10.40.1.0-10.40.15.255.");
}

/** `butleradm network create`. */
export function createCommand(terminal: Terminal): Command {
  const command = new Command("create")
    .description("Make a pool that addresses are handed out from")
    .argument("<pool>", "name of the pool", objectName)
    .requiredOption("--cidr <network>", "the whole network, such as 10.40.0.0/16")
    .addOption(rangeOption("--range", "part that clusters get addresses from; all of it when absent; may be repeated"))
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
      else terminal.say(`The pool ${name} is made. ${seeIt(name, namespace)}`);
    });
  });
  return withExamples(command, [
    "butleradm network create datacenter --cidr 10.40.0.0/16 --range 10.40.1.0-10.40.15.255 --reserve 10.40.0.0/24=Switches",
  ]);
}

function seeIt(name: string, namespace: string): string {
  const place = namespace === namespaces.system ? [] : ["-n", namespace];
  return `Look at it with: ${shellCommand("butleradm", "network", "show", name, ...place)}`;
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
    .description("Let a pool grow, or change what of it is handed out; addresses in use stay in it")
    .argument("<pool>", "name of the pool")
    .option("--cidr <network>", "larger network, which contains the one that it is now")
    .addOption(rangeOption("--add-range", "part to hand out as well; may be repeated"))
    .addOption(rangeOption("--remove-range", "part to hand out no more; may be repeated"))
    .addOption(reserveOption())
    .addOption(
      new Option("--unreserve <cidr>", "part that is not reserved any more; may be repeated").argParser(repeated),
    )
    .addOption(namespaceOption())
    .addOption(dryRunOption());
  for (const option of sizeOptions()) command.addOption(option);
  command.action(async (name: string, _options, self: Command) => {
    const options = self.optsWithGlobals<ResizeOptions>();
    const { namespace, dryRun } = options;
    const resize = resizeOf(options);
    if (!isResize(resize)) {
      throw new UsageError("nothing is to change", {
        hint: "Say what shall be different, such as --cidr 10.40.0.0/15.",
      });
    }
    await withSession(terminal, options, async (session) => {
      const key = { name, namespace };
      await requirePool(session, key);
      const decide = (pool: NetworkPool) => planResize(pool, resize);
      const changed = await changeFromCurrent(session, NetworkPool, { key, decide, dryRun });
      if (dryRun) terminal.print(renderValue(changed.spec, "yaml"));
      else terminal.say(`The pool ${name} is changed. ${seeIt(name, namespace)}`);
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
    .description("Delete a pool that nobody has addresses of")
    .argument("<pool>", "name of the pool")
    .addOption(namespaceOption())
    .option("-y, --yes", "do not ask")
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
        await confirmLoss(terminal, { word: name, loss: `This deletes the pool ${name} of ${pool.spec.cidr}.`, yes });
        const outcome = await deleteObject(session, { kind: NetworkPool, object: pool, what: `the pool ${name}` });
        terminal.say(`The pool ${name} is ${outcome === "gone" ? "gone" : "being deleted"}.`);
      });
    });
  return withExamples(command, ["butleradm network delete datacenter", "butleradm network delete datacenter --yes"]);
}

interface PoolUsers {
  readonly claims: readonly IPAllocation[];
  readonly providers: readonly ProviderConfig[];
}

/** Refuses while somebody has addresses of a pool, or takes them from it. */
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
      hint: "Destroy those clusters first; butleradm network allocations list shows who has what.",
    });
  }
  if (drawing.length === 0) return;
  throw new Conflict(
    `providers take addresses from the pool ${name}: ${nameSome(drawing.sort())}; nothing was deleted`,
    {
      hint: "Take it out of their network.poolRefs first.",
    },
  );
}
