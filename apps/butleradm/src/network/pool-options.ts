import { namespaces } from "@butler/api";
import { shellCommand, wholeNumber } from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type AddressRange, parseRange, parseReserved, type Reserved } from "./pool-plan.ts";

/** Options of the commands that change a pool. */
export interface PoolOptions extends SessionOptions {
  readonly namespace: string;
  readonly cidr?: string;
  readonly reserve?: readonly Reserved[];
  readonly nodesPerTenant?: number;
  readonly lbPerTenant?: number;
  readonly dryRun?: boolean;
}

/** The namespace of the pool. */
export const namespaceOption = (): Option =>
  new Option("-n, --namespace <namespace>", "namespace of the pool").default(namespaces.system);

/** Adds what every change of a pool has: its namespace, validation without a change, and default sizes of blocks. */
export function withPoolOptions(command: Command): Command {
  const size = wholeNumber(1, 65_536);
  return command
    .addOption(namespaceOption())
    .option("--dry-run", "validate on the server and print the result without changing anything")
    .option("--nodes-per-tenant <number>", "default number of node addresses per cluster", size)
    .option("--lb-per-tenant <number>", "default number of load balancer addresses per cluster", size);
}

/** A range of addresses, which may be repeated. */
export const rangeOption = (flag: string, text: string): Option =>
  new Option(`${flag} <first-last>`, text).argParser(readRange);

/** A block that clusters do not get, which may be repeated. */
export const reserveOption = (): Option =>
  new Option(
    "--reserve <cidr[=text]>",
    "block to exclude from allocation, with an optional description; may be repeated",
  ).argParser((word: string, before: readonly Reserved[] | undefined) => [...(before ?? []), parseReserved(word)]);

function readRange(word: string, before: readonly AddressRange[] | undefined): readonly AddressRange[] {
  const range = parseRange(word);
  if (range !== undefined) return [...(before ?? []), range];
  throw new InvalidArgumentError("Must be two addresses in ascending order, such as 10.40.1.0-10.40.15.255.");
}

/** The command that shows the pool, for the end of a message. */
export function showHint(name: string, namespace: string): string {
  const place = namespace === namespaces.system ? [] : ["-n", namespace];
  return `Show it with: ${shellCommand("butleradm", "network", "show", name, ...place)}`;
}
