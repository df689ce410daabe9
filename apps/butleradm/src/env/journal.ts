import { InvalidInput, isRecord } from "@butler/std";

/** What an undo file begins with. */
export interface JournalHeader {
  readonly butler: "environment-migration";
  readonly version: 1;
  /** Uid of the management cluster's namespace kube-system: a file is good for one platform only. */
  readonly platform: string;
  readonly startedAt: string;
}

/** A move, written down before it is made. */
export interface Move {
  /** As namespace/name. */
  readonly cluster: string;
  readonly uid: string;
  readonly from: string | null;
  readonly to: string;
  /** Whether somebody else had marked it as one that may be moved. */
  readonly marked: boolean;
}

/** What an undo file says. */
export interface Journal {
  readonly header: JournalHeader;
  /** In the order in which they were made; those that were refused are not among them. */
  readonly moves: readonly Move[];
  /** Whether the migration came to its end. */
  readonly isFinished: boolean;
  /** Characters of the file that can be read; what comes behind them was cut off in the middle of a line. */
  readonly length: number;
}

/** The first line of a new undo file. */
export function headerLine(platform: string, now: Date): string {
  const header: JournalHeader = {
    butler: "environment-migration",
    version: 1,
    platform,
    startedAt: now.toISOString(),
  };
  return `${JSON.stringify(header)}\n`;
}

/** The line of a move that is about to be made. */
export function moveLine({ cluster, uid, from, to, marked }: Move): string {
  return `${JSON.stringify({ move: { cluster, uid, from, to, marked } })}\n`;
}

/** The line that takes a move back which the API server has refused. */
export function refusedLine(uid: string): string {
  return `${JSON.stringify({ refused: uid })}\n`;
}

/** The last line. */
export const finishedLine = `${JSON.stringify({ finished: true })}\n`;

/** Reads an undo file. A last line that was cut off is left out: the move that it would be about was never made. */
export function parseJournal(source: string, text: string): Journal {
  const length = text.lastIndexOf("\n") + 1;
  const [first = "", ...lines] = text.slice(0, length).split("\n").slice(0, -1);
  const header = readHeader(source, first);
  let moves: Move[] = [];
  let isFinished = false;
  for (const [at, line] of lines.entries()) {
    const value = readLine(line);
    if (isMove(value?.["move"])) moves.push(value["move"]);
    else if (typeof value?.["refused"] === "string") moves = withoutLast(moves, value["refused"]);
    else if (value?.["finished"] === true) isFinished = true;
    else throw strange(source, `line ${at + 2} cannot be read`);
  }
  return { header, moves, isFinished, length };
}

function withoutLast(moves: readonly Move[], uid: string): Move[] {
  const at = moves.findLastIndex((move) => move.uid === uid);
  return moves.filter((_move, index) => index !== at);
}

function readHeader(source: string, line: string): JournalHeader {
  const value = readLine(line);
  const { butler, version, platform, startedAt } = value ?? {};
  if (butler !== "environment-migration") throw strange(source, "it is not an undo file of butleradm env migrate");
  if (version !== 1)
    throw strange(source, `it has the form ${JSON.stringify(version)}, which this butleradm cannot read`);
  if (typeof platform === "string" && typeof startedAt === "string") return { butler, version, platform, startedAt };
  throw strange(source, "its first line cannot be read");
}

function readLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMove(value: unknown): value is Move {
  if (!isRecord(value)) return false;
  const { cluster, uid, from, to, marked } = value;
  const texts = [cluster, uid, to].every((each) => typeof each === "string" && each !== "");
  return texts && (from === null || typeof from === "string") && typeof marked === "boolean";
}

function strange(source: string, fault: string): InvalidInput {
  return new InvalidInput(`${source} cannot be used: ${fault}`, { hint: "Name another file. Nothing was changed." });
}
