/** A file and when it was used last. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
}

/** Which files go so that the rest has room: those unused for longest, and never one that is in use. */
export function planEviction(
  files: readonly StoredFile[],
  limit: { readonly bytes: number; readonly unusedSinceMs: number },
): readonly StoredFile[] {
  let excess = files.reduce((sum, { bytes }) => sum + bytes, 0) - limit.bytes;
  const evicted: StoredFile[] = [];
  for (const file of files.toSorted((one, other) => one.usedMs - other.usedMs)) {
    if (excess <= 0 || file.usedMs > limit.unusedSinceMs) break;
    evicted.push(file);
    excess -= file.bytes;
  }
  return evicted;
}
