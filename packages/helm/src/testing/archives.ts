import { gzipSync } from "node:zlib";

/** An archive entry, valid or not. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** "0" (a file) by default. */
  readonly type?: string;
  readonly target?: string;
  /** Header fields that override the correct ones. */
  readonly size?: number;
}

/** Builds a tar archive byte by byte, so that it can also be invalid. */
export function tarOf(entries: readonly ArchiveEntry[]): Buffer {
  return Buffer.concat([...entries.map(entryBytes), Buffer.alloc(1024)]);
}

/** A packed chart of these entries. */
export function archiveOf(entries: readonly ArchiveEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

/** The smallest chart that can be installed. */
export function smallChart({ name = "web", version = "1.0.0", more = "" } = {}): readonly ArchiveEntry[] {
  const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n";
  return [
    { name: `${name}/Chart.yaml`, content: `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more}` },
    { name: `${name}/templates/config.yaml`, content: configMap },
  ];
}

/** An extended header with one record. */
export function extendedHeader(key: string, value: string): ArchiveEntry {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length + 1;
  while (`${length}${rest}`.length !== length) length += 1;
  return { name: "extended", type: "x", content: `${length}${rest}` };
}

function entryBytes({ name, content = "", type = "0", target = "", size }: ArchiveEntry): Buffer {
  const bytes = Buffer.from(content);
  const block = Buffer.alloc(512);
  block.write(name.slice(0, 100), 0);
  block.write("0000644\0", 100);
  block.write(`${(size ?? bytes.length).toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        ", 148);
  block.write(type, 156);
  block.write(target.slice(0, 100), 157);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
