import type { AuditSegment } from "@butler/api";
import { type AuditPosition, type AuditQuery, outcomeOf, searchSegments, type StoredRecord } from "@butler/audit";
import { type auditEntry, exportAudit, listAudit, listTeamAudit, verifyAudit } from "@butler/contract";
import type { Informer } from "@butler/kube";
import { isRecord } from "@butler/std";
import type { z } from "zod";
import { type Handler, handle } from "../http/handler.ts";
import { RouteProblem } from "../http/problem.ts";
import { type ExportCursors, nextExport } from "./export.ts";
import type { LogVerifier } from "./verify-log.ts";

/** Handlers that read the audit log, from memory. */
export function auditHandlers(segments: Pick<Informer<typeof AuditSegment>, "list">, verify: LogVerifier): Handler[] {
  return [
    handle(listAudit, ({ query: { team, ...query } }) => pageOf(segments.list(), { ...query, teamRef: team })),
    handle(listTeamAudit, ({ query, params }) => pageOf(segments.list(), { ...query, teamRef: params.team })),
    handle(exportAudit, ({ query, setHeader }) => {
      const cursors = query.cursor === undefined ? {} : cursorsIn(query.cursor);
      const batch = nextExport(segments.list(), cursors, query.limit);
      setHeader("x-butler-next-cursor", writeCursor(batch.cursors));
      return batch.lines.map((line) => `${line}\n`).join("");
    }),
    handle(verifyAudit, () => verify()),
  ];
}

type Asked = AuditQuery & { readonly limit: number; readonly cursor?: string | undefined };

function pageOf(segments: readonly AuditSegment[], { limit, cursor, ...query }: Asked) {
  const { from, to } = query;
  const range = { from: from && momentOf(from, "T00:00:00.000Z"), to: to && momentOf(to, "T23:59:59.999Z") };
  const after = cursor === undefined ? undefined : positionIn(cursor);
  const entries: z.output<typeof auditEntry>[] = [];
  let last: AuditPosition | undefined;
  for (const { record, position } of searchSegments(segments, { ...query, ...range }, after)) {
    if (entries.length >= limit) return { entries, ...(last === undefined ? {} : { nextCursor: writeCursor(last) }) };
    entries.push(showRecord(record));
    last = position;
  }
  return { entries };
}

function showRecord(record: StoredRecord): z.output<typeof auditEntry> {
  const { previous: _previous, number: _number, phase: _phase, clock: _clock, anchors: _anchors, ...rest } = record;
  return { ...rest, fields: [...rest.fields], outcome: outcomeOf(record) };
}

/** Timestamps are compared as text, so they must be in one format. */
function momentOf(text: string, ofDay: string): string {
  const moment = new Date(/T/.test(text) ? text : text + ofDay);
  if (!Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new RouteProblem("INVALID", `${text} is not a valid timestamp`, {
    hint: "Use RFC 3339, such as 2026-06-01T12:00:00Z.",
  });
}

function writeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function positionIn(cursor: string): AuditPosition {
  const { timestamp, chain, number } = readCursor(cursor);
  if (typeof timestamp === "string" && typeof chain === "string" && typeof number === "number") {
    return { timestamp, chain, number };
  }
  throw strangeCursor();
}

function cursorsIn(cursor: string): ExportCursors {
  const found = readCursor(cursor);
  if (!Object.values(found).every(Number.isSafeInteger)) throw strangeCursor();
  return found as ExportCursors;
}

function readCursor(cursor: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (isRecord(value)) return value;
  } catch {
    // Reported below, like every other invalid cursor.
  }
  throw strangeCursor();
}

function strangeCursor(): RouteProblem {
  return new RouteProblem("INVALID", "the cursor is not valid for this list", {
    hint: "Send the cursor unchanged, or omit it to start over.",
    causes: [{ field: "cursor", reason: "INVALID_CURSOR", message: "is not valid for this list" }],
  });
}
