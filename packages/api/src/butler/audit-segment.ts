import { defineResource, int64, type ObjectOf, time, withRules } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";

const hash = (doc: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe(doc);

const fixed = ["chain", "sequence", "firstRecord", "previousHash"] as const;

/** A piece of the audit log. */
export const AuditSegment = defineResource({
  ...butlerGroup,
  kind: "AuditSegment",
  scope: "Cluster",
  shortNames: ["audit"],
  doc:
    "AuditSegment holds a piece of the record of what people did: lines of JSON, each with the SHA-256 of the one before. " +
    "Each server process writes a chain of its own; lines are only ever added.",
  spec: withRules(
    z.object({
      chain: z
        .string()
        .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
        .max(63)
        .describe("Chain that the segment belongs to: one per start of a server process."),
      sequence: int64().min(1).describe("Place of the segment in its chain, from 1."),
      firstRecord: int64().min(1).describe("Number of the first record in the chain."),
      records: int64().min(1).describe("Records in the segment."),
      previousHash: hash("SHA-256 of the line before the first; zeros where the chain begins."),
      lastHash: hash("SHA-256 of the last line."),
      firstTime: time().describe("When the first record was made."),
      lastTime: time().describe("When the last record was made."),
      lines: z.string().min(1).max(1_048_576).describe("The records, one JSON object per line. They hold no secrets."),
    }),
    {
      rule: "self.lines.startsWith(oldSelf.lines)",
      message: "records can be added, and neither changed nor taken away",
      fieldPath: ".lines",
    },
    {
      rule: fixed.map((field) => `self.${field} == oldSelf.${field}`).join(" && "),
      message: `${fixed.join(", ")} cannot be changed`,
    },
  ),
  columns: [
    { name: "Records", type: "integer", jsonPath: ".spec.records" },
    { name: "First", type: "string", jsonPath: ".spec.firstTime" },
    { name: "Last", type: "string", jsonPath: ".spec.lastTime" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "AuditSegment",
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
