import { Bug, Conflict, InvalidInput } from "@butler/std";

/** One entry of a tar archive; paths are relative and have no trailing slash. */
export type TarEntry = TarFile | TarDirectory | TarSymlink;

/** A file whose content is read only when it is written. */
export interface TarFile {
  readonly type: "file";
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  /** Changes whenever the content does; undefined if the content itself is quick to read. */
  readonly stamp?: string;
  readonly read: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A directory. */
export interface TarDirectory {
  readonly type: "directory";
  readonly path: string;
  readonly mode: number;
}

/** A symbolic link; its target is stored unchanged. */
export interface TarSymlink {
  readonly type: "symlink";
  readonly path: string;
  readonly target: string;
}

/** Tar block size: headers and contents fill whole blocks. */
export const tarBlockBytes = 512;

const fieldBytes = 100;
/** The largest value of eleven octal digits. */
const largestOctalSize = 8 ** 11 - 1;
const typeFlags = { file: "0", symlink: "2", directory: "5", pax: "x" } as const;

/**
 * Yields a tar archive (POSIX.1-2001: ustar headers, and pax records for values that do not fit), with entries in the
 * given order. Owner and time are zero, so the bytes depend only on the entries.
 */
export async function* writeTar(entries: Iterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield tarHeader(entry);
    if (entry.type === "file") yield* fileContent(entry);
  }
  yield tarEnd();
}

/** The two empty blocks at the end of an archive. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * tarBlockBytes);
}

/** The zero padding of a content to whole blocks. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes);
}

/** An entry's header, preceded by a pax header if its path, target or size does not fit. */
export function tarHeader(entry: TarEntry): Buffer {
  const path = entry.type === "directory" ? `${entry.path}/` : entry.path;
  const target = entry.type === "symlink" ? entry.target : "";
  const size = entry.type === "file" ? entry.size : 0;
  const records: Record<string, string> = {};
  if (!fitsField(path)) records["path"] = path;
  if (!fitsField(target)) records["linkpath"] = target;
  if (size > largestOctalSize) records["size"] = String(size);
  const header = ustarHeader({
    path,
    target,
    size: size > largestOctalSize ? 0 : size,
    mode: entry.type === "symlink" ? 0o777 : entry.mode,
    flag: typeFlags[entry.type],
  });
  return Object.keys(records).length === 0 ? header : Buffer.concat([paxHeader(records), header]);
}

async function* fileContent({ path, size, read }: TarFile): AsyncGenerator<Uint8Array> {
  let written = 0;
  for await (const chunk of read()) {
    written += chunk.length;
    if (written > size) break;
    yield chunk;
  }
  if (written !== size) throw new Conflict(`${path} changed size while it was being archived`);
  yield tarPadding(size);
}

/** Whether a plain header can contain a text; beyond ASCII the meaning of bytes is only defined in pax records. */
function fitsField(text: string): boolean {
  return text.length <= fieldBytes && /^[\x20-\x7e]*$/.test(text);
}

interface UstarFields {
  readonly path: string;
  readonly target: string;
  readonly size: number;
  readonly mode: number;
  readonly flag: string;
}

function ustarHeader({ path, target, size, mode, flag }: UstarFields): Buffer {
  if (path === "/" || path === "" || `${path}${target}`.includes("\0"))
    throw new InvalidInput(`"${path}" is not a valid path in an archive`);
  const header = Buffer.alloc(tarBlockBytes);
  header.write(path, 0, fieldBytes);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(" ".repeat(8), 148);
  header.write(flag, 156);
  header.write(target, 157, fieldBytes);
  header.write("ustar\u000000", 257);
  header.write(octal(0, 8), 329);
  header.write(octal(0, 8), 337);
  // The checksum treats its own field as spaces.
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)} `, 148);
  return header;
}

/** Octal digits that fill a field up to its terminating zero byte. */
function octal(value: number, width: number): string {
  const digits = value.toString(8);
  if (digits.length >= width) throw new Bug(`${value} does not fit ${width - 1} octal digits`);
  return `${digits.padStart(width - 1, "0")}\0`;
}

function paxHeader(records: Readonly<Record<string, string>>): Buffer {
  const content = Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)));
  // This name is only visible to programs that do not support pax.
  const header = ustarHeader({ path: "pax", target: "", size: content.length, mode: 0o644, flag: typeFlags.pax });
  return Buffer.concat([header, content, tarPadding(content.length)]);
}

/** `<length> key=value\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}
