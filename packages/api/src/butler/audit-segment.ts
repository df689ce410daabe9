import { defineResource, int64, type ObjectOf, time, withRules } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";

const hash = (doc: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe(doc);

const fixed = ["chain", "sequence", "firstRecord", "previousHash"] as const;

/** A segment of the audit log. */
export const AuditSegment = defineResource({
  ...butlerGroup,
  kind: "AuditSegment",
  scope: "Cluster",
  shortNames: ["audit"],
  doc:
    "AuditSegment is a segment of the audit log: JSON lines, each with the SHA-256 of the previous line. Each " +
    "server process writes its own chain. Segments are append-only.",
  spec: withRules(
    z.object({
      chain: z
        .string()
        .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
        .max(63)
        .describe("Chain that the segment belongs to. Every server process starts a new chain."),
      sequence: int64().min(1).describe("Position of the segment in its chain, starting at 1."),
      firstRecord: int64().min(1).describe("Sequence number of the segment's first record in the chain."),
      records: int64().min(1).describe("Number of records in the segment."),
      previousHash: hash("SHA-256 of the line before the segment's first line. All zeros at the start of the chain."),
      lastHash: hash("SHA-256 of the last line."),
      firstTime: time().describe("Time of the first record."),
      lastTime: time().describe("Time of the last record."),
      lines: z.string().min(1).max(1_048_576).describe("Audit records without secrets, one JSON object per line."),
    }),
    {
      rule: "self.lines.startsWith(oldSelf.lines)",
      message: "records are append-only: they cannot be changed or removed",
      fieldPath: ".lines",
    },
    {
      rule: fixed.map((field) => `self.${field} == oldSelf.${field}`).join(" && "),
      message: `${fixed.join(", ")} are immutable`,
    },
  ),
  columns: {
    Records: { type: "integer", jsonPath: ".spec.records" },
    First: ".spec.firstTime",
    Last: ".spec.lastTime",
  },
  example: {
    metadata: { name: "20260601t120000-x7k2p9aq-000001" },
    spec: {
      chain: "20260601t120000-x7k2p9aq",
      sequence: 1,
      firstRecord: 1,
      records: 1,
      previousHash: "0".repeat(64),
      lastHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      firstTime: "2026-06-01T12:00:00.000Z",
      lastTime: "2026-06-01T12:00:00.000Z",
      lines: '{"id":"20260601t120000-x7k2p9aq.1","number":1}\n',
    },
  },
});
export type AuditSegment = ObjectOf<typeof AuditSegment>;
