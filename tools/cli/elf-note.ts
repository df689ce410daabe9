import { Bug } from "@butler/std";

/** A program header (ELF-64): where a segment of the file is mapped in memory. */
interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
  readonly alignment: number;
}

const types = { load: 1, interpreter: 3, note: 4, table: 6 } as const;
const header = { tableOffset: 32, entrySize: 54, entryCount: 56, size: 64 } as const;
const segmentSize = 56;
const page = 4096;
const readable = 4;

/**
 * Adds a note to a program, mapped in memory where the program finds it by its program headers. This requires one more
 * header than there is space for; the space is taken from the small sections right after the table (the interpreter's
 * name and the notes), which move to the end of the file together with the new note.
 */
export function addElfNote(program: Buffer, name: string, content: Uint8Array): Buffer {
  requireElf(program);
  const segments = readSegments(program);
  const [interpreter, note] = [only(segments, types.interpreter), only(segments, types.note)];
  const tableEnd = header.size + (segments.length + 1) * segmentSize;
  const isRoom = [interpreter, note].every(({ offset }) => offset < tableEnd + segmentSize);
  if (!isRoom || Math.max(interpreter.offset, note.offset) + note.fileSize < tableEnd) {
    throw new Bug("the executable has no room for another program header");
  }
  const end = align(program.length, page);
  const address = addressFor(segments, end);
  const moved = (part: Segment): Buffer => padded(program.subarray(part.offset, part.offset + part.fileSize));
  const [interpreterBytes, noteBytes] = [moved(interpreter), Buffer.concat([moved(note), noteOf(name, content)])];
  const tail = Buffer.concat([interpreterBytes, noteBytes]);
  const at = (from: number): Pick<Segment, "offset" | "address"> => ({ offset: end + from, address: address + from });
  const changed = segments.flatMap((segment): Segment[] => {
    if (segment.type === types.interpreter) return [{ ...segment, ...at(0) }];
    if (segment.type === types.note) {
      const size = noteBytes.length;
      return [{ ...segment, ...at(interpreterBytes.length), fileSize: size, memorySize: size }];
    }
    if (segment.type === types.table) {
      const size = (segments.length + 1) * segmentSize;
      return [{ ...segment, fileSize: size, memorySize: size }];
    }
    if (segment !== segments.findLast(({ type }) => type === types.load)) return [segment];
    // Loadable segments are ordered by address, so the new one follows the last.
    const size = tail.length;
    return [
      segment,
      { type: types.load, flags: readable, ...at(0), fileSize: size, memorySize: size, alignment: page },
    ];
  });
  const result = Buffer.concat([program, Buffer.alloc(end - program.length), tail]);
  changed.forEach((segment, place) => writeSegment(result, header.size + place * segmentSize, segment));
  result.writeUInt16LE(changed.length, header.entryCount);
  return result;
}

function requireElf(program: Buffer): void {
  const isElf = program.subarray(0, 4).equals(Buffer.from("\u007FELF", "latin1"));
  const is64LittleEndian = program[4] === 2 && program[5] === 1;
  const hasUsualTable = isElf && Number(program.readBigUInt64LE(header.tableOffset)) === header.size;
  if (isElf && is64LittleEndian && hasUsualTable && program.readUInt16LE(header.entrySize) === segmentSize) return;
  throw new Bug("not a 64-bit Linux executable");
}

function readSegments(program: Buffer): readonly Segment[] {
  return Array.from({ length: program.readUInt16LE(header.entryCount) }, (_each, place) => {
    const at = header.size + place * segmentSize;
    const long = (from: number): number => Number(program.readBigUInt64LE(at + from));
    return {
      type: program.readUInt32LE(at),
      flags: program.readUInt32LE(at + 4),
      offset: long(8),
      address: long(16),
      fileSize: long(32),
      memorySize: long(40),
      alignment: long(48),
    };
  });
}

function writeSegment(program: Buffer, at: number, segment: Segment): void {
  program.writeUInt32LE(segment.type, at);
  program.writeUInt32LE(segment.flags, at + 4);
  const { offset, address, fileSize, memorySize, alignment } = segment;
  [offset, address, address, fileSize, memorySize, alignment].forEach((value, place) =>
    program.writeBigUInt64LE(BigInt(value), at + 8 + place * 8),
  );
}

function only(segments: readonly Segment[], type: number): Segment {
  const found = segments.filter((segment) => segment.type === type);
  const [one] = found;
  if (one === undefined || found.length > 1) throw new Bug(`this program has ${found.length} headers of type ${type}`);
  return one;
}

/** After all loadable segments, and at the same page offset as in the file. */
function addressFor(segments: readonly Segment[], offset: number): number {
  const loaded = segments.filter(({ type }) => type === types.load);
  const end = Math.max(...loaded.map(({ address, memorySize }) => address + memorySize));
  return align(end, page) + page + (offset % page);
}

/** A note: the lengths of its name and content, a type that is not used, and both. */
function noteOf(name: string, content: Uint8Array): Buffer {
  const title = Buffer.from(`${name}\0`, "latin1");
  const lengths = Buffer.alloc(12);
  lengths.writeUInt32LE(title.length, 0);
  lengths.writeUInt32LE(content.length, 4);
  return Buffer.concat([lengths, padded(title), padded(content)]);
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(align(bytes.length, 4) - bytes.length)]);
}

function align(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
