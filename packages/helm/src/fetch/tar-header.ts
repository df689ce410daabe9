/** The type of an archive entry. */
export type EntryKind = "file" | "folder" | "link" | "extended" | "global" | "longName" | "longLink";

/** The header of an entry, without the extension headers before it. */
export interface TarHeader {
  readonly kind: EntryKind;
  readonly name: string;
  readonly size: number;
}

/** An archive that is damaged or contains entries not allowed in a chart. The message is a part of a sentence. */
export class BadArchive extends Error {}

/** Supported entry types; other types are not allowed in charts. */
const kinds: Readonly<Record<string, EntryKind>> = {
  "\0": "file",
  "0": "file",
  "7": "file",
  "5": "folder",
  "1": "link",
  "2": "link",
  x: "extended",
  g: "global",
  L: "longName",
  K: "longLink",
};
const strictText = new TextDecoder("utf-8", { fatal: true });

/** Reads a header block; undefined for a block of zeros, which ends an archive. POSIX 1003.1, "ustar Interchange Format". */
export function parseTarHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  requireChecksum(block);
  const flag = String.fromCharCode(block[156] ?? 0);
  const kind = Object.hasOwn(kinds, flag) ? kinds[flag] : undefined;
  if (kind === undefined) throw new BadArchive("contains an unsupported entry, such as a device or a named pipe");
  const name = textField(block, 0, 100);
  // Only the POSIX format has a name prefix here; GNU uses the field differently.
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? textField(block, 345, 155) : "";
  const full = prefix === "" ? name : `${prefix}/${name}`;
  const isOldFolder = flag === "\0" && full.endsWith("/");
  const size = numberField(block, 124, 12);
  return { kind: isOldFolder ? "folder" : kind, name: full, size };
}

/** Reads the records of an extended header: length, space, key, equals sign, value, line break. */
export function parseExtendedHeader(content: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length;) {
    const digits = /^(\d{1,8}) /.exec(content.toString("latin1", at, at + 9))?.[1];
    const end = at + Number(digits ?? 0);
    const isWhole = digits !== undefined && end <= content.length && content[end - 1] === 0x0a;
    const record = isWhole ? decode(content.subarray(at + digits.length + 1, end - 1)) : "";
    const equals = record.indexOf("=");
    if (equals < 1) throw new BadArchive("has an unreadable extended header");
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  if ([...records.keys()].some((key) => key.startsWith("GNU.sparse")))
    throw new BadArchive("contains a sparse file with holes");
  return records;
}

/** A whole number of an extended header. */
export function parseSize(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new BadArchive("has an invalid size in an extended header");
  return Number(text);
}

/** Text of an extended or long name, which may end with a zero. */
export function decode(bytes: Uint8Array): string {
  try {
    return strictText.decode(bytes);
  } catch {
    throw new BadArchive("contains a name that is not valid UTF-8");
  }
}

/** The sum of all bytes, with spaces in place of the checksum field. */
function requireChecksum(block: Buffer): void {
  let sum = 8 * 0x20;
  for (let at = 0; at < 512; at += 1) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  if (sum !== numberField(block, 148, 8)) throw new BadArchive("is not a tar archive, or is damaged");
}

function textField(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return decode(end === -1 ? field : field.subarray(0, end));
}

/** Octal digits; numbers in another encoding exceed all limits. */
function numberField(block: Buffer, start: number, length: number): number {
  const text = block
    .toString("latin1", start, start + length)
    .replace(/[\0 ]+$/, "")
    .trimStart();
  if (!/^[0-7]{0,11}$/.test(text)) throw new BadArchive("has an unreadable header");
  return text === "" ? 0 : Number.parseInt(text, 8);
}
