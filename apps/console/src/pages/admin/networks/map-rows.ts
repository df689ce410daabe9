import { formatIpAddress, type IpRange, parseIpRange } from "@butler/std";
import type { MapPart } from "./address-map.ts";

/** A piece of a row with its offset and width in percent. */
export interface RowPiece {
  readonly part: MapPart;
  readonly at: number;
  readonly width: number;
}

/** A row of the map: a subnet that can be zoomed into. */
export interface MapRow {
  readonly cidr: string;
  readonly range: IpRange;
  readonly pieces: readonly RowPiece[];
}

const mostRowBits = 4n;
const fine = 1_000_000n;

/** Splits a network into at most sixteen equal rows, each with the parts inside it. */
export function mapRows(cidr: string, parts: readonly MapPart[]): readonly MapRow[] {
  const range = parseIpRange(cidr);
  const hostBits = BigInt((range.last - range.first + 1n).toString(2).length - 1);
  const rowBits = hostBits < mostRowBits ? hostBits : mostRowBits;
  // A few addresses are clearer in one row than in one row each.
  const bits = hostBits <= mostRowBits ? 0n : rowBits;
  const size = 1n << (hostBits - bits);
  const prefix = BigInt(range.family === 4 ? 32 : 128) - (hostBits - bits);
  return Array.from({ length: Number(1n << bits) }, (_none, index) => {
    const first = range.first + BigInt(index) * size;
    const row = { family: range.family, first, last: first + size - 1n };
    return {
      cidr: `${formatIpAddress({ family: row.family, value: first })}/${prefix}`,
      range: row,
      pieces: piecesOf(row, parts),
    };
  });
}

function piecesOf(row: IpRange, parts: readonly MapPart[]): readonly RowPiece[] {
  const size = row.last - row.first + 1n;
  const share = (count: bigint): number => (Number((count * fine) / size) / Number(fine)) * 100;
  return parts
    .filter(({ first, last }) => first <= row.last && last >= row.first)
    .map((part) => {
      const first = part.first > row.first ? part.first : row.first;
      const last = part.last < row.last ? part.last : row.last;
      return { part, at: share(first - row.first), width: share(last - first + 1n) };
    });
}

/** Whether a text is a CIDR within another. The text comes from the URL and can be anything. */
export function isInside(cidr: string, whole: string): boolean {
  try {
    const [part, all] = [parseIpRange(cidr), parseIpRange(whole)];
    return part.family === all.family && part.first >= all.first && part.last <= all.last;
  } catch {
    return false;
  }
}
