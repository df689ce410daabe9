import { type Column, Moment, StatusBadge } from "@butler/ui";
import { type AuditEntry, objectWords, outcomeOf } from "./record.ts";

/** Columns of a record list. */
export const recordColumns: readonly Column<AuditEntry>[] = [
  { id: "when", header: "When", width: "84px", isNarrow: true, cell: ({ timestamp }) => <Moment at={timestamp} /> },
  {
    id: "outcome",
    header: "Outcome",
    width: "112px",
    cell: (entry) => <StatusBadge tone={outcomeOf(entry).tone}>{outcomeOf(entry).word}</StatusBadge>,
  },
  {
    id: "who",
    header: "User",
    width: "minmax(130px, 1.5fr)",
    isNarrow: true,
    cell: ({ user }) => (user === "" ? <span className="b-soft">Server</span> : <span title={user}>{user}</span>),
  },
  {
    id: "action",
    header: "Action",
    width: "minmax(96px, 1fr)",
    isNarrow: true,
    cell: ({ action }) => <span title={action}>{action}</span>,
  },
  {
    id: "object",
    header: "Object",
    width: "minmax(150px, 2fr)",
    cell: (entry) => <span title={objectWords(entry)}>{objectWords(entry)}</span>,
  },
  { id: "code", header: "Error code", width: "minmax(90px, 1fr)", cell: ({ code }) => <code>{code}</code> },
];

/** The same for records of all teams. */
export const fleetRecordColumns: readonly Column<AuditEntry>[] = recordColumns.toSpliced(5, 0, {
  id: "team",
  header: "Team",
  width: "minmax(80px, 0.8fr)",
  cell: ({ teamRef }) => teamRef,
});
