import { gunzipSync } from "node:zlib";
import { InvalidInput } from "@butler/std";

/** More than fits into a Secret, and a limit against decompression bombs. */
const largestBytes = 4 * 1024 * 1024;

/** The text of bootstrap data, which may be gzip-compressed. */
export function decodeBootstrapData(data: Uint8Array): string {
  const bytes = isGzip(data) ? gunzip(data, "the bootstrap data") : data;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new InvalidInput("the bootstrap data is not valid UTF-8", { cause: error });
  }
}

/** Decompresses gzip. */
export function gunzip(data: Uint8Array, what: string): Uint8Array {
  try {
    return gunzipSync(data, { maxOutputLength: largestBytes });
  } catch (error) {
    throw new InvalidInput(`${what} is not valid gzip, or is larger than ${largestBytes} bytes uncompressed`, {
      cause: error,
    });
  }
}

function isGzip(data: Uint8Array): boolean {
  return data[0] === 0x1f && data[1] === 0x8b;
}
