import { type FileHandle, open, readFile } from "node:fs/promises";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import { finishedLine, headerLine, type Journal, type Move, moveLine, parseJournal, refusedLine } from "./journal.ts";

/** The platform of an undo file, and its start time. */
export interface JournalPlace {
  readonly path: string;
  readonly platform: string;
  readonly now: Date;
}

/** An undo file that is being written. Each line is synced to disk before the move that it records. */
export class JournalFile {
  readonly #handle: FileHandle;
  /** The moves of an earlier run that did not finish. */
  readonly earlier: readonly Move[];

  private constructor(handle: FileHandle, earlier: readonly Move[]) {
    this.#handle = handle;
    this.earlier = earlier;
  }

  /** Starts an undo file, or continues one of an unfinished migration. */
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

  /** Records a move before it is made. */
  move(move: Move): Promise<void> {
    return this.#append(moveLine(move));
  }

  /** Revokes the last recorded move of a cluster, which the API server rejected. */
  refused(uid: string): Promise<void> {
    return this.#append(refusedLine(uid));
  }

  /** Marks the migration as finished. */
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

/** Whether a file is the undo file of an unfinished migration. */
export async function isUnfinished(path: string): Promise<boolean> {
  const text = await readExisting(path);
  try {
    return text !== undefined && !isUnborn(text) && !parseJournal(path, text).isFinished;
  } catch {
    // Not an undo file, so there is no migration to finish.
    return false;
  }
}

/** Reads the undo file of a migration to undo. */
export async function readJournal(path: string, platform: string): Promise<Journal> {
  const text = await readExisting(path);
  if (text === undefined) throw new InvalidInput(`file ${path} not found`);
  const journal = parseJournal(path, text);
  requireOwn(path, journal, platform);
  return journal;
}

/** A file with a truncated first line: no move was made with it. */
function isUnborn(text: string): boolean {
  return text === "" || (!text.includes("\n") && text.startsWith('{"butler":"environment-migration"'));
}

function continued({ path, platform }: JournalPlace, text: string): Journal {
  const journal = parseJournal(path, text);
  requireOwn(path, journal, platform);
  if (!journal.isFinished) return journal;
  throw new InvalidInput(`${path} is the undo file for a completed migration; nothing was changed`, {
    hint: "Choose another file with --undo-file, and keep this one in case you need to undo that migration.",
  });
}

function requireOwn(path: string, { header }: Journal, platform: string): void {
  if (header.platform === platform) return;
  throw new InvalidInput(`${path} was created on another platform; nothing was changed`, {
    hint: "Select that platform with --context or --kubeconfig.",
  });
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isRecord(error) && error["code"] === "ENOENT") return undefined;
    throw new InvalidInput(`cannot read ${path}: ${describeError(error)}`);
  }
}

async function openFile(path: string, flags: string): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600);
  } catch (error) {
    throw new InvalidInput(`cannot write ${path}: ${describeError(error)}; nothing was changed`, {
      hint: "Choose another file with --undo-file.",
    });
  }
}
