/** Finds a file's SHA-256 in a published checksum file: a bare checksum, or lines of a checksum and a file name. */
export function findChecksum(text: string, fileName: string): string | undefined {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  for (const line of lines) {
    const [, sum, name] = /^([0-9a-fA-F]{64})(?:\s+\*?(\S.*))?$/.exec(line) ?? [];
    if (sum === undefined) continue;
    const isBareSum = name === undefined && lines.length === 1;
    if (isBareSum || name?.replace(/^.*\//, "") === fileName) return sum.toLowerCase();
  }
  return undefined;
}
