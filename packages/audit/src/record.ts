import { isRecord } from "@butler/std";

/** What is recorded about a request. It contains the names of objects and fields, never their values. */
export interface AuditRecord {
  readonly timestamp: string;
  readonly requestId: string;
  /** Email address; empty if the request was not signed in. */
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

/** `intent` is recorded before a change, `outcome` after it. */
export type RecordPhase = "intent" | "outcome";

/** A record as it is stored. */
export interface StoredRecord extends AuditRecord {
  /** Globally unique, permanent ID of the record. */
  readonly id: string;
  /** Place in the chain, from 1. */
  readonly number: number;
  /** SHA-256 of the line before. */
  readonly previous: string;
  readonly phase: RecordPhase;
  /**
   * The clock time, if the clock had gone backwards; a record's timestamp is never before that of the previous record.
   */
  readonly clock?: string | undefined;
  readonly anchors?: Readonly<Record<string, string>> | undefined;
}

/** Outcome of an action; `unknown` if only its intent was recorded. */
export function outcomeOf({ phase, success }: Pick<StoredRecord, "phase" | "success">) {
  if (phase === "intent") return "unknown";
  return success ? "success" : "failure";
}

/** The record of a line; undefined if the line is not a record. */
export function readLine(line: string): StoredRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isStored = isRecord(value) && typeof value["number"] === "number" && typeof value["previous"] === "string";
    return isStored ? (value as unknown as StoredRecord) : undefined;
  } catch {
    return undefined;
  }
}
