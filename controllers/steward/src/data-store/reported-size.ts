import { formatBinaryQuantity, InvalidInput, parseQuantity } from "@butler/std";

const mebibyte = 1024 * 1024;
const nanoUnits = 1_000_000_000n;

/** A database size fluctuates; changes below this amount and share are not worth a write. */
const smallestChange = { bytes: 16 * mebibyte, share: 0.1 };

/** Bytes as text, rounded up to whole mebibytes. */
export function databaseSizeText(bytes: number): string {
  return formatBinaryQuantity(BigInt(Math.ceil(bytes / mebibyte)) * BigInt(mebibyte) * nanoUnits);
}

/** The size to report: the previous one, unless the real size differs significantly. */
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
    // Another client wrote something else there; overwrite it.
    if (error instanceof InvalidInput) return undefined;
    throw error;
  }
}
