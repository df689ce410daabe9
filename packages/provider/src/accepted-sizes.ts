import { formatBinaryQuantity, parseQuantity } from "@butler/std";
import type { PoolInput } from "./machine-provider.ts";

const nanoPerByte = 1_000_000_000n;

/** Minimum size of a machine that can become a node. */
export interface SmallestMachine {
  readonly memory: string;
  readonly diskSize: string;
}

/** An amount of memory or storage in whole bytes, in canonical form: 16Gi is 17179869184. */
export function wholeBytes(amount: string | number): string {
  const nano = parseQuantity(amount);
  return formatBinaryQuantity(((nano + nanoPerByte - 1n) / nanoPerByte) * nanoPerByte);
}

/** The difference of two amounts. */
export function bytesLess(amount: string | number, other: string): string {
  return wholeBytes(formatBinaryQuantity(parseQuantity(amount) - parseQuantity(other)));
}

/** Sizes in which the machines of a pool are too small, each as a sentence. */
export function sizeFaults({ name, machine }: PoolInput, smallest: SmallestMachine): string[] {
  return (["memory", "diskSize"] as const)
    .filter((size) => parseQuantity(machine[size]) < parseQuantity(smallest[size]))
    .map((size) => `${size} of pool ${name} is ${machine[size]}; machines require at least ${smallest[size]}`);
}
