import type { State } from "@butler/api";
import { outcomeOf, searchSegments, type StoredRecord } from "@butler/audit";
import { ageOf } from "@butler/cli-kit";
import { keyText } from "@butler/resource";
import { type Fact, factLines, section, tableLines } from "./sections.ts";
import { defineTab } from "./tab.ts";
import { stateText, toneOrder } from "./tones.ts";

/** The outcome of an action. */
function stateOf(record: StoredRecord): State {
  const outcome = outcomeOf(record);
  if (outcome === "success") return { tone: "ready", word: "Done" };
  return outcome === "failure" ? { tone: "failed", word: "Refused" } : { tone: "attention", word: "Unknown" };
}

function objectOf({ resourceType, resourceName, resourceNamespace }: StoredRecord): string {
  const name = resourceName === "" ? "" : keyText({ name: resourceName, namespace: resourceNamespace });
  return [resourceType, name].filter((text) => text !== "").join(" ");
}

/** Limit of displayed records; the server's search goes further back. */
const mostRecords = 1000;

/** Audit records of butler-server, newest first. */
export const audit = defineTab<StoredRecord>({
  id: "audit",
  title: "Audit",
  sources: ["segments"],
  items: ({ segments }) =>
    searchSegments(segments, {})
      .take(mostRecords)
      .map(({ record }) => record)
      .toArray(),
  keyOf: ({ id }) => id,
  columns: [
    {
      title: "AGE",
      value: ({ timestamp }, now) => ageOf(timestamp, now),
      sortBy: ({ timestamp }) => -Date.parse(timestamp),
      align: "right",
    },
    { title: "USER", value: ({ user }) => user || "(anonymous)", widest: 32 },
    { title: "ACTION", value: ({ action }) => action, widest: 20 },
    { title: "OBJECT", value: objectOf, widest: 48 },
    {
      title: "OUTCOME",
      value: (record) => stateText(stateOf(record)),
      look: (record) => stateOf(record).tone,
      sortBy: (record) => toneOrder.indexOf(stateOf(record).tone),
    },
    { title: "CODE", value: ({ code }) => code || "-", drop: 2, widest: 24 },
    { title: "TEAM", value: ({ teamRef }) => teamRef || "-", drop: 1, widest: 20 },
    { title: "FROM", value: ({ sourceIP }) => sourceIP, drop: 3, widest: 40 },
    { title: "WHEN", value: ({ timestamp }) => timestamp.replace("T", " ").slice(0, 19), drop: 4, isFilling: true },
  ],
  sort: { column: -1, isDescending: false },
  empty: {
    sentence: "No changes made through butler-server yet.",
    hint: "Changes made directly with kubectl or butlerctl are in the API server's audit log.",
  },
  details: (record, { width }) => {
    const state = stateOf(record);
    const facts: Fact[] = [
      ["User", record.user || "(not signed in)"],
      ["Action", `${record.action} ${objectOf(record)}`],
      ["Outcome", stateText(state), state.tone],
      ["Reason", record.code],
      ["When", record.timestamp],
      ["Team", record.teamRef],
      ["Request", `${record.httpMethod} ${record.path}`],
      ["Response", record.statusCode === 0 ? "unknown" : String(record.statusCode)],
      ["Source IP", record.sourceIP],
      ["Request ID", record.requestId],
      ["Record ID", record.id],
    ];
    const fields = record.fields.map((field) => [field]);
    return [
      { title: "Record", lines: factLines(facts, width) },
      ...section("Request fields", fields.length === 0 ? [] : tableLines([["FIELD"], ...fields], width)),
    ];
  },
});
