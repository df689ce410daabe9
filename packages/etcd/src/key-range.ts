import type { KeyRange } from "./etcd-methods.ts";

/** All keys with a prefix. The empty prefix means all keys. */
export function prefixRange(prefix: string): KeyRange {
  const key = Buffer.from(prefix);
  if (key.length === 0) return { key: Buffer.from([0]), rangeEnd: Buffer.from([0]) };
  return { key, rangeEnd: endOfPrefix(key) };
}

/** The smallest key after every key with the prefix: the last byte below 0xff is incremented, the rest is dropped. */
function endOfPrefix(prefix: Uint8Array): Uint8Array {
  for (let at = prefix.length - 1; at >= 0; at--) {
    const byte = prefix[at] ?? 0xff;
    if (byte < 0xff) return Buffer.concat([prefix.subarray(0, at), Buffer.from([byte + 1])]);
  }
  // No key is larger than all of these; etcd writes "to the end" as a single zero byte.
  return Buffer.from([0]);
}

/** The key that comes right after another: nothing lies between the two. */
export function keyAfter(key: Uint8Array): Uint8Array {
  return Buffer.concat([key, Buffer.from([0])]);
}
