/** A file and the time of its last use. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
}

/** The files to evict: the least recently used ones, never one in use. */
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
