import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { tooLarge } from "./network-fault.ts";
import type { HttpAnswer } from "./transport.ts";

/** Name of a response for messages, and its size limit. */
export interface BodyLimit {
  readonly host: string;
  readonly what: string;
  readonly bytes: number;
}

/** Reads a response into memory, decompressed if necessary. */
export async function readBody(answer: HttpAnswer, limit: BodyLimit): Promise<Buffer> {
  refuseAnnounced(answer, limit);
  // Written in place as it arrives: concatenating tens of mebibytes at the end would block the event loop.
  let room = Buffer.allocUnsafe(Math.max(65_536, Number(answer.headers["content-length"] ?? 0)));
  let length = 0;
  for await (const chunk of bounded(decoded(answer, limit), limit)) {
    if (length + chunk.length > room.length) {
      const larger = Buffer.allocUnsafe(Math.max(room.length * 2, length + chunk.length));
      room.copy(larger, 0, 0, length);
      room = larger;
    }
    length += chunk.copy(room, length);
  }
  return room.subarray(0, length);
}

/** Writes an answer to a new file, as it was sent, and says what it was. */
export async function saveBody(
  answer: HttpAnswer,
  path: string,
  limit: BodyLimit,
): Promise<{ readonly digest: string; readonly bytes: number }> {
  refuseAnnounced(answer, limit);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    await using file = await open(path, "wx", 0o600);
    for await (const chunk of bounded(answer.body, limit)) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
  } finally {
    // A file that cannot be written must not leave a connection behind.
    answer.discard();
  }
  return { digest: `sha256:${hash.digest("hex")}`, bytes };
}

/** Rejects a body whose content-length exceeds the limit. */
function refuseAnnounced(answer: HttpAnswer, { host, what, bytes }: BodyLimit): void {
  if (Number(answer.headers["content-length"] ?? 0) <= bytes) return;
  answer.discard();
  throw tooLarge(host, what, bytes);
}

async function* bounded(body: AsyncIterable<Buffer>, { host, what, bytes }: BodyLimit): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of body) {
    total += chunk.length;
    if (total > bytes) throw tooLarge(host, what, bytes);
    yield chunk;
  }
}

function decoded(answer: HttpAnswer, { host, what }: BodyLimit): AsyncIterable<Buffer> {
  const encoding = answer.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return answer.body;
  if (encoding === "gzip") return unzipped(answer.body, { host, what });
  answer.discard();
  throw new ChartUnavailable("RepositoryInvalid", `${what} of ${host} has an unsupported content encoding`);
}

async function* unzipped(
  body: AsyncIterable<Buffer>,
  { host, what }: Omit<BodyLimit, "bytes">,
): AsyncGenerator<Buffer> {
  const gunzip = pipeline(Readable.from(body), createGunzip(), () => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) {
      throw new ChartUnavailable("RepositoryInvalid", `${what} of ${host} cannot be unpacked`);
    }
    throw error;
  }
}
