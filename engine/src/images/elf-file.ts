import { type FileHandle, open } from "node:fs/promises";

/** The fields of a program or library that the dynamic linker reads. */
export interface ElfFile {
  /** The machine type; libraries of another one are skipped. */
  readonly machine: number;
  /** The dynamic linker (interpreter); undefined for libraries and static programs. */
  readonly interpreter: string | undefined;
  /** The required libraries, by the names under which they are looked up. */
  readonly needed: readonly string[];
  /** Directories to search first; `$ORIGIN` is not resolved. */
  readonly runPaths: readonly string[];
}

const magic = "7f454c46";
const headerBytes = 64;
const programHeaderBytes = 56;
const [loadSegment, dynamicSegment, interpreterSegment] = [1, 2, 3];
const [endTag, neededTag, stringTableTag, stringTableSizeTag, runPathTag, newRunPathTag] = [0, 1, 5, 10, 15, 29];
/** Far above any real table, and small enough to be harmless. */
const plausibleTableBytes = 16 << 20;

/** Reads a 64-bit little-endian ELF file; undefined when the file is something else. */
export async function readElfFile(path: string): Promise<ElfFile | undefined> {
  const file = await open(path);
  try {
    const header = await readAt(file, 0, headerBytes);
    const isElf = header.length === headerBytes && header.toString("hex", 0, 4) === magic;
    // Byte 4 is the word size (2: 64 bits), byte 5 the byte order (1: little end first).
    if (!isElf || header[4] !== 2 || header[5] !== 1) return undefined;
    const segments = await readSegments(file, header);
    const interpreter = segments.find(({ type }) => type === interpreterSegment);
    return {
      machine: header.readUInt16LE(18),
      interpreter: interpreter && textAt(await readAt(file, interpreter.offset, interpreter.size), 0),
      ...(await readDynamicSegment(file, segments)),
    };
  } finally {
    await file.close();
  }
}

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

async function readSegments(file: FileHandle, header: Buffer): Promise<Segment[]> {
  const table = await readAt(file, wordAt(header, 32), header.readUInt16LE(56) * programHeaderBytes);
  const count = Math.floor(table.length / programHeaderBytes);
  return Array.from({ length: count }, (_each, at) => {
    const entry = table.subarray(at * programHeaderBytes);
    return {
      type: entry.readUInt32LE(0),
      offset: wordAt(entry, 8),
      address: wordAt(entry, 16),
      size: wordAt(entry, 32),
    };
  });
}

async function readDynamicSegment(
  file: FileHandle,
  segments: readonly Segment[],
): Promise<Pick<ElfFile, "needed" | "runPaths">> {
  const dynamic = segments.find(({ type }) => type === dynamicSegment);
  if (dynamic === undefined) return { needed: [], runPaths: [] };
  const tags = dynamicTags(await readAt(file, dynamic.offset, dynamic.size));
  const valuesOf = (wanted: number): number[] => tags.flatMap(([tag, value]) => (tag === wanted ? [value] : []));
  const address = valuesOf(stringTableTag)[0] ?? 0;
  const holder = segments.find(
    (segment) => segment.type === loadSegment && address >= segment.address && address < segment.address + segment.size,
  );
  if (holder === undefined) return { needed: [], runPaths: [] };
  const offset = address - holder.address + holder.offset;
  const strings = await readAt(file, offset, valuesOf(stringTableSizeTag)[0] ?? 0);
  const textsOf = (tag: number): string[] => valuesOf(tag).map((at) => textAt(strings, at));
  // DT_RPATH is ignored when DT_RUNPATH is present.
  const [old, current] = [textsOf(runPathTag), textsOf(newRunPathTag)];
  const runPaths = (current.length > 0 ? current : old).flatMap((paths) => paths.split(":"));
  return { needed: textsOf(neededTag), runPaths: runPaths.filter((path) => path !== "") };
}

function dynamicTags(table: Buffer): (readonly [number, number])[] {
  const tags: (readonly [number, number])[] = [];
  for (let at = 0; at + 16 <= table.length; at += 16) {
    const tag = wordAt(table, at);
    if (tag === endTag) break;
    tags.push([tag, wordAt(table, at + 8)]);
  }
  return tags;
}

function wordAt(bytes: Buffer, offset: number): number {
  return Number(bytes.readBigUInt64LE(offset));
}

function textAt(bytes: Buffer, start: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString("utf8", start, end < 0 ? bytes.length : end);
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(length, plausibleTableBytes));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, position);
  return bytes.subarray(0, bytesRead);
}
