import { posix } from "node:path";
import { InvalidInput } from "@butler/std";
import { gunzip } from "./decode-data.ts";
import { EntryReader } from "./entry-reader.ts";

/** A file that the bootstrap writes. */
export interface FileEntry {
  readonly path: string;
  readonly owner: string;
  readonly mode: number;
  readonly append: boolean;
  /** Written after the users are created, because they may own it. */
  readonly isDeferred: boolean;
  readonly content: Uint8Array;
}

const fields = ["path", "owner", "permissions", "encoding", "append", "content", "defer"];

/** Parses one entry of `write_files`. */
export function parseFileEntry(value: unknown, path: string): FileEntry {
  const reader = new EntryReader(value, path, fields);
  return {
    path: parsePath(reader),
    owner: parseOwner(reader),
    mode: parseMode(reader),
    append: reader.flag("append") ?? false,
    isDeferred: reader.flag("defer") ?? false,
    content: parseContent(reader),
  };
}

function parsePath(reader: EntryReader): string {
  const path = reader.text("path") ?? reader.refuse("path", "is required");
  if (!path.startsWith("/")) return reader.refuse("path", "must be an absolute path");
  if (path.endsWith("/") || path.includes("\0"))
    return reader.refuse("path", "must be a file path without a trailing slash or NUL character");
  // Two leading slashes would be kept by the shell and have another meaning on some systems.
  return posix.normalize(path).replace(/^\/+/, "/");
}

function parseOwner(reader: EntryReader): string {
  const owner = reader.text("owner") ?? "root:root";
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?$/.test(owner)) return owner;
  return reader.refuse("owner", "must be USER or USER:GROUP");
}

function parseMode(reader: EntryReader): number {
  const value = reader.value("permissions") ?? "0644";
  const mode = typeof value === "string" && /^(0o)?[0-7]+$/.test(value) ? parseInt(value.replace("0o", ""), 8) : value;
  if (typeof mode === "number" && Number.isInteger(mode) && mode >= 0 && mode <= 0o7777) return mode;
  return reader.refuse("permissions", "must be an octal number such as '0640'");
}

type Decoding = (bytes: Uint8Array, what: string) => Uint8Array;

/** cloud-init's names of encodings, and the steps that decode them. */
const encodings = new Map<string, readonly Decoding[]>([
  ["text/plain", []],
  ["b64", [decodeBase64]],
  ["base64", [decodeBase64]],
  ["gz", [gunzip]],
  ["gzip", [gunzip]],
  ["gz+b64", [decodeBase64, gunzip]],
  ["gz+base64", [decodeBase64, gunzip]],
  ["gzip+b64", [decodeBase64, gunzip]],
  ["gzip+base64", [decodeBase64, gunzip]],
]);

function parseContent(reader: EntryReader): Uint8Array {
  const value = reader.value("content") ?? "";
  if (typeof value !== "string" && !(value instanceof Uint8Array)) return reader.refuse("content", "must be a string");
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  const where = `${reader.path}.content`;
  const encoding = reader.text("encoding") ?? "text/plain";
  const steps = encodings.get(encoding) ?? reader.refuse("encoding", `"${encoding}" is not supported`);
  return steps.reduce((content: Uint8Array, step) => step(content, where), bytes);
}

function decodeBase64(bytes: Uint8Array, what: string): Uint8Array {
  const text = new TextDecoder("latin1").decode(bytes).replaceAll(/\s/g, "");
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new InvalidInput(`${what} is not base64`);
  return Buffer.from(text, "base64");
}
