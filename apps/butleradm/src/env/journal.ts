import { InvalidInput, isRecord } from "@butler/std";

/** First line of an undo file. */
export interface JournalHeader {
  readonly butler: "environment-migration";
  readonly version: 1;
  /** Uid of the management cluster's namespace kube-system: a file is valid for one platform only. */
  readonly platform: string;
  readonly startedAt: string;
}

/** A move, recorded before it is made. */
export interface Move {
  /** As namespace/name. */
  readonly cluster: string;
  readonly uid: string;
  readonly from: string | null;
  readonly to: string;
  /** Whether the cluster already had the annotation that allows moving it. */
  readonly marked: boolean;
}

/** Contents of an undo file. */
export interface Journal {
  readonly header: JournalHeader;
  /** In order, without rejected moves. */
  readonly moves: readonly Move[];
  /** Whether the migration finished. */
  readonly isFinished: boolean;
  /** Number of valid characters of the file; a truncated last line follows them. */
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

/** The line that revokes a move that the API server rejected. */
export function refusedLine(uid: string): string {
  return `${JSON.stringify({ refused: uid })}\n`;
}

/** The last line. */
export const finishedLine = `${JSON.stringify({ finished: true })}\n`;

/** Parses an undo file. Ignores a truncated last line: its move was never made. */
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
    else throw strange(source, `line ${at + 2} is invalid`);
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
  if (butler !== "environment-migration") throw strange(source, "not an undo file created by butleradm env migrate");
  if (version !== 1) throw strange(source, `unsupported format version ${JSON.stringify(version)}`);
  if (typeof platform === "string" && typeof startedAt === "string") return { butler, version, platform, startedAt };
  throw strange(source, "the first line is invalid");
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
  return new InvalidInput(`cannot use ${source}: ${fault}`, { hint: "Nothing was changed. Choose another file." });
}
