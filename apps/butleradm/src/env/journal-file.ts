import { type FileHandle, open, readFile } from "node:fs/promises";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import { finishedLine, headerLine, type Journal, type Move, moveLine, parseJournal, refusedLine } from "./journal.ts";

/** Whose undo file it is, and when it begins. */
export interface JournalPlace {
  readonly path: string;
  readonly platform: string;
  readonly now: Date;
}

/** An undo file that is being written. Each line is on the disk before what it is about happens. */
export class JournalFile {
  readonly #handle: FileHandle;
  /** What a run before this one, which did not come to its end, has done. */
  readonly earlier: readonly Move[];

  private constructor(handle: FileHandle, earlier: readonly Move[]) {
    this.#handle = handle;
    this.earlier = earlier;
  }

  /** Begins an undo file, or goes on with one whose migration did not come to its end. */
  static async open(place: JournalPlace): Promise<JournalFile> {
    const text = await readExisting(place.path);
    const journal = text === undefined || isUnborn(text) ? undefined : continued(place, text);
    const handle = await openFile(place.path, text === undefined ? "ax" : "a");
    try {
      if (text !== undefined) await handle.truncate(Buffer.byteLength(text.slice(0, journal?.length ?? 0)));
      const file = new JournalFile(handle, journal?.moves ?? []);
      if (journal === undefined) await file.#append(headerLine(place.platform, place.now));
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Writes down a move that is about to be made. */
  move(move: Move): Promise<void> {
    return this.#append(moveLine(move));
  }

  /** Takes back the last move of a cluster, which the API server has refused. */
  refused(uid: string): Promise<void> {
    return this.#append(refusedLine(uid));
  }

  /** Says that the migration has come to its end. */
  finish(): Promise<void> {
    return this.#append(finishedLine);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #append(line: string): Promise<void> {
    await this.#handle.appendFile(line);
    await this.#handle.datasync();
  }
}

/** Whether a file is the undo file of a migration that did not come to its end. */
export async function isUnfinished(path: string): Promise<boolean> {
  const text = await readExisting(path);
  try {
    return text !== undefined && !isUnborn(text) && !parseJournal(path, text).isFinished;
  } catch {
    // Whatever it is, nothing of a migration is left to be done with it.
    return false;
  }
}

/** Reads an undo file whose migration is to be taken back. */
export async function readJournal(path: string, platform: string): Promise<Journal> {
  const text = await readExisting(path);
  if (text === undefined) throw new InvalidInput(`there is no file ${path}`);
  const journal = parseJournal(path, text);
  requireOwn(path, journal, platform);
  return journal;
}

/** A file whose first line was cut off: nothing was done with it. */
function isUnborn(text: string): boolean {
  return text === "" || (!text.includes("\n") && text.startsWith('{"butler":"environment-migration"'));
}

function continued({ path, platform }: JournalPlace, text: string): Journal {
  const journal = parseJournal(path, text);
  requireOwn(path, journal, platform);
  if (!journal.isFinished) return journal;
  throw new InvalidInput(`${path} is the undo file of a migration that has come to its end; nothing was changed`, {
    hint: "Name another file with --undo-file, and keep this one as long as that migration may be taken back.",
  });
}

function requireOwn(path: string, { header }: Journal, platform: string): void {
  if (header.platform === platform) return;
  throw new InvalidInput(`${path} is of another platform; nothing was changed`, {
    hint: "Choose the platform that it is of with --context or --kubeconfig.",
  });
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isRecord(error) && error["code"] === "ENOENT") return undefined;
    throw new InvalidInput(`${path} cannot be read: ${describeError(error)}`);
  }
}

async function openFile(path: string, flags: string): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600);
  } catch (error) {
    throw new InvalidInput(`${path} cannot be written: ${describeError(error)}; nothing was changed`, {
      hint: "Name another file with --undo-file.",
    });
  }
}
