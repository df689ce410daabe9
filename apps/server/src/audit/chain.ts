import { hashOf, type NewRecord, withoutSecrets, writeLine } from "./record-line.ts";

/** The current end of a chain. */
export interface ChainHead {
  readonly chain: string;
  /** Number of the last record; 0 when there is none. */
  readonly number: number;
  /** SHA-256 of the last line. */
  readonly hash: string;
  readonly timestamp: string;
}

/** Hash in place of a previous line, for the first record. */
export const noHash = "0".repeat(64);

/** The head of a chain that has no records yet. */
export function emptyChain(chain: string): ChainHead {
  return { chain, number: 0, hash: noHash, timestamp: "" };
}

/** A unique name for a new chain that sorts by start time. */
export function chainName(now: Date, random: string): string {
  const moment = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").toLowerCase();
  return `${moment}-${random}`;
}

/** Lines appended to a chain, and its new head. */
export interface Appended {
  readonly lines: readonly string[];
  readonly head: ChainHead;
  /** Time of the first of the lines. */
  readonly firstTime: string;
}

/** Appends records to the head of a chain. */
export function appendRecords(head: ChainHead, records: readonly NewRecord[]): Appended {
  const lines: string[] = [];
  let current = head;
  let firstTime = "";
  for (const { phase, record, anchors } of records) {
    const number = current.number + 1;
    const timestamp = record.timestamp < current.timestamp ? current.timestamp : record.timestamp;
    const line = writeLine({
      id: `${head.chain}.${number}`,
      number,
      previous: current.hash,
      phase,
      ...withoutSecrets(record),
      timestamp,
      ...(timestamp === record.timestamp ? {} : { clock: record.timestamp }),
      ...(anchors === undefined ? {} : { anchors }),
    });
    lines.push(line);
    firstTime ||= timestamp;
    current = { chain: head.chain, number, hash: hashOf(line), timestamp };
  }
  return { lines, head: current, firstTime };
}
