import { derTags } from "./der-reader.ts";

/** Writes one value. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, { length: part }) => sum + part, 0);
  return Buffer.concat([Buffer.from([tag]), lengthOf(length), ...contents]);
}

/** Writes a sequence of values. */
export function sequence(...contents: readonly Uint8Array[]): Buffer {
  return element(derTags.sequence, ...contents);
}

/** Writes a context-tagged value. */
export function explicit(number: number, content: Uint8Array): Buffer {
  return element(0xa0 | number, content);
}

/** Writes a non-negative integer. */
export function integer(bytes: Uint8Array): Buffer {
  const isHigh = (bytes[0] ?? 0) >= 0x80;
  return element(derTags.integer, ...(isHigh ? [Buffer.from([0])] : []), bytes);
}

/** Writes an object identifier that is given as numbers with dots. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split(".").map(Number);
  return element(derTags.objectIdentifier, Buffer.from([first * 40 + second, ...others].flatMap(septets)));
}

/** Writes a bit string; the last byte may have unused bits. */
export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return element(derTags.bitString, Buffer.from([unusedBits]), bytes);
}

/** Writes an octet string. */
export function octetString(bytes: Uint8Array): Buffer {
  return element(derTags.octetString, bytes);
}

/** Writes text. */
export function utf8String(text: string): Buffer {
  return element(derTags.utf8String, Buffer.from(text));
}

/** Writes a time in whole seconds; years from 1950 to 2049 have the short form (RFC 5280 section 4.1.2.5). */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().slice(0, 19).replace(/[-T:]/g, "")}Z`;
  const year = date.getUTCFullYear();
  if (year >= 1950 && year < 2050) return element(derTags.utcTime, Buffer.from(text.slice(2)));
  return element(derTags.generalizedTime, Buffer.from(text));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** Seven bits a byte; each byte but the last has the high bit. */
function septets(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest % 128));
  return bytes;
}
