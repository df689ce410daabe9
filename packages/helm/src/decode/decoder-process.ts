// Reads releases in a process of its own, one after the other: their content is a tenant's, and whatever it does to the
// memory of this process, the process that asked goes on.
import { setPriority } from "node:os";
import { describeError } from "@butler/std";
import { readRelease, type ReleaseContent, type ReleasePart } from "./decode-release.ts";

/** This module, also within a bundle; the process is started with it. */
export const decoderUrl = new URL(import.meta.url);

/** The argument of the process; a process that only imports the module does nothing. */
export const decoderMark = "butler-release-decoder";

/** A revision to read. */
export interface DecodeTask {
  readonly id: number;
  readonly data: string;
  readonly part: ReleasePart;
}

/** What was read of it, and how many bytes were unpacked for that. */
export type DecodeAnswer = { readonly id: number; readonly unpackedBytes: number } & (
  { readonly content: ReleaseContent } | { readonly error: string }
);

if (process.argv.includes(decoderMark) && process.send !== undefined) serve();

function serve(): void {
  giveWay();
  process.on("disconnect", () => process.exit(0));
  process.on("message", (task: DecodeTask) => void answer(task));
}

async function answer({ id, data, part }: DecodeTask): Promise<void> {
  let unpackedBytes = 0;
  const count = (bytes: number): void => void (unpackedBytes += bytes);
  try {
    const content = await readRelease(data, part, count);
    process.send?.({ id, unpackedBytes, content } satisfies DecodeAnswer);
  } catch (error) {
    process.send?.({ id, unpackedBytes, error: describeError(error) } satisfies DecodeAnswer);
  }
}

/** Not as much as Helm does: controllers wait for what is read here. */
const niceness = 5;

function giveWay(): void {
  try {
    setPriority(0, niceness);
  } catch {
    // Without permission, it runs at normal priority.
  }
}
