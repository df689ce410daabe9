import { gunzipSync } from "node:zlib";
import { InvalidInput } from "@butler/std";

/** More than a Secret can carry, so that nothing small unpacks into everything there is. */
const largestBytes = 4 * 1024 * 1024;

/** The text of bootstrap data, which may be packed with gzip. */
export function decodeBootstrapData(data: Uint8Array): string {
  const bytes = isGzip(data) ? gunzip(data, "the bootstrap data") : data;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new InvalidInput("the bootstrap data is not text in UTF-8", { cause: error });
  }
}

/** Unpacks gzip. */
export function gunzip(data: Uint8Array, what: string): Uint8Array {
  try {
    return gunzipSync(data, { maxOutputLength: largestBytes });
  } catch (error) {
    throw new InvalidInput(`${what} is not gzip, or unpacks to more than ${largestBytes} bytes`, { cause: error });
  }
}

function isGzip(data: Uint8Array): boolean {
  return data[0] === 0x1f && data[1] === 0x8b;
}
