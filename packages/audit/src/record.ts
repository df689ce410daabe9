import { isRecord } from "@butler/std";

/** What is recorded about a request. It names things and fields, and never holds their content. */
export interface AuditRecord {
  readonly timestamp: string;
  readonly requestId: string;
  /** E-mail address; empty when nobody was signed in. */
  readonly user: string;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceName: string;
  readonly resourceNamespace: string;
  readonly teamRef: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly statusCode: number;
  readonly success: boolean;
  /** Code of the problem; empty when there was none. */
  readonly code: string;
  /** Paths of the fields that the request named. */
  readonly fields: readonly string[];
  readonly sourceIP: string;
}

/** Before a change is made it is told what is about to be done; afterwards, what came of it. */
export type RecordPhase = "intent" | "outcome";

/** A record as it is stored. */
export interface StoredRecord extends AuditRecord {
  /** Names the record everywhere and for ever. */
  readonly id: string;
  /** Place in the chain, from 1. */
  readonly number: number;
  /** SHA-256 of the line before. */
  readonly previous: string;
  readonly phase: RecordPhase;
  /** What the clock said, where it had gone backwards; the time of a record is never before that of the one before it. */
  readonly clock?: string | undefined;
  readonly anchors?: Readonly<Record<string, string>> | undefined;
}

/** What came of an action; `unknown` when only its beginning was recorded. */
export function outcomeOf({ phase, success }: Pick<StoredRecord, "phase" | "success">) {
  if (phase === "intent") return "unknown";
  return success ? "success" : "failure";
}

/** The record of a line; undefined when it is none. */
export function readLine(line: string): StoredRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isStored = isRecord(value) && typeof value["number"] === "number" && typeof value["previous"] === "string";
    return isStored ? (value as unknown as StoredRecord) : undefined;
  } catch {
    return undefined;
  }
}
