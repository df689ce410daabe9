/** One entry of a tar archive. */
export interface TarEntry {
  readonly name: string;
  readonly content: string;
  /** `0` is a file, `5` a directory, `x` a pax header. */
  readonly type?: string;
}

/** Builds a tar archive (POSIX ustar) in memory. */
export function buildTar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(encodeEntry), Buffer.alloc(1024)]);
}

function encodeEntry({ name, content, type = "0" }: TarEntry): Buffer[] {
  const header = Buffer.alloc(512);
  const size = Buffer.byteLength(content);
  header.write(name, 0, 100);
  header.write("0000755\0", 100);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, Buffer.from(content), Buffer.alloc((512 - (size % 512)) % 512)];
}
