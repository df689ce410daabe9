import { NotFound, Unavailable } from "@butler/std";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";

/** The member to extract from a tar stream. */
export interface TarMember {
  readonly name: string;
  readonly limitBytes: number;
}

/** Yields the content of one member, and reads the stream to the end, so that it closes and verifies its checksum. */
export async function* readTarMember(
  stream: AsyncIterable<Buffer>,
  { name, limitBytes }: TarMember,
): AsyncGenerator<Buffer> {
  const archive = extract();
  // An error of the stream also ends the loop.
  const reading = pipeline(stream, archive).catch(() => undefined);
  let reached: string | undefined;
  let isFound = false;
  try {
    for await (const entry of archive) {
      const { size, type } = entry.header;
      reached = entry.header.name.replace(/^\.\//, "");
      if (isFound || type !== "file" || reached !== name) {
        entry.resume();
        continue;
      }
      if (size > limitBytes) throw new Unavailable(`${name} is larger than ${limitBytes} bytes`);
      isFound = true;
      yield* entry as AsyncIterable<Buffer>;
    }
  } catch (error) {
    // Errors of tar-stream have no code, unlike those of the stream and our own.
    if (!(error instanceof Error) || "code" in error) throw error;
    const what = reached === undefined ? "not a tar file" : `truncated within ${reached}`;
    throw new Unavailable(`the archive is ${what}`, { cause: error });
  } finally {
    archive.destroy();
    await reading;
  }
  if (!isFound) throw new NotFound(`the archive does not contain ${name}`);
}
