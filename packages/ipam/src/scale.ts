import type { MakeRow, Whole } from "./sorted-pairs.ts";

/** Addresses as offsets from the first address of a pool, with their arithmetic and storage. */
export interface Scale<N extends Whole> {
  readonly offsetOf: (address: bigint) => N;
  readonly addressOf: (offset: N) => bigint;
  /** A number of addresses as a distance between offsets. */
  readonly distanceOf: (count: bigint) => N;
  readonly countOf: (distance: N) => bigint;
  readonly plus: (left: N, right: N) => N;
  readonly minus: (left: N, right: N) => N;
  readonly makeRow: MakeRow<N>;
}

/** The largest pool whose offsets, including the end, are exact as plain numbers. */
export const mostInNumbers = 2n ** 53n;

/** The same for 32 bits: nearly all of IPv4. */
const mostIn32Bits = 2n ** 32n - 1n;

/** For pools whose offsets are exact as plain numbers. */
export function numberScale(base: bigint, size: bigint): Scale<number> {
  return {
    offsetOf: (address) => Number(address - base),
    addressOf: (offset) => base + BigInt(offset),
    distanceOf: Number,
    countOf: BigInt,
    plus: (left, right) => left + right,
    minus: (left, right) => left - right,
    makeRow: size <= mostIn32Bits ? (length) => new Uint32Array(length) : (length) => new Float64Array(length),
  };
}

/** For pools of any size. */
export function bigintScale(base: bigint): Scale<bigint> {
  return {
    offsetOf: (address) => address - base,
    addressOf: (offset) => base + offset,
    distanceOf: (count) => count,
    countOf: (distance) => distance,
    plus: (left, right) => left + right,
    minus: (left, right) => left - right,
    makeRow: (length) => Array.from({ length }, () => 0n),
  };
}
