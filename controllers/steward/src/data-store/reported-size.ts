import { formatBinaryQuantity, InvalidInput, parseQuantity } from "@butler/std";

const mebibyte = 1024 * 1024;
const nanoUnits = 1_000_000_000n;

/** A database grows and shrinks all the time; below this much, and this share, it is not worth a write. */
const smallestChange = { bytes: 16 * mebibyte, share: 0.1 };

/** Bytes as text, rounded up to whole mebibytes. */
export function databaseSizeText(bytes: number): string {
  return formatBinaryQuantity(BigInt(Math.ceil(bytes / mebibyte)) * BigInt(mebibyte) * nanoUnits);
}

/** The size to report: the one that was reported before, unless the real one has moved away from it. */
export function reportedSize(before: string | undefined, bytes: number): string {
  const reported = before === undefined ? undefined : bytesOf(before);
  if (before === undefined || reported === undefined) return databaseSizeText(bytes);
  const threshold = Math.max(smallestChange.bytes, reported * smallestChange.share);
  return Math.abs(bytes - reported) < threshold ? before : databaseSizeText(bytes);
}

function bytesOf(text: string): number | undefined {
  try {
    return Number(parseQuantity(text) / nanoUnits);
  } catch (error) {
    // Somebody wrote something else there; it is written anew.
    if (error instanceof InvalidInput) return undefined;
    throw error;
  }
}
