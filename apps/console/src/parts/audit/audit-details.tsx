import { Dialog, Facts, StatusBadge } from "@butler/ui";
import { type AuditEntry, objectWords, outcomeOf } from "./record.ts";

/** All fields of a record, in a drawer. */
export function AuditDetails({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const { tone, word } = outcomeOf(entry);
  return (
    <Dialog isOpen onClose={onClose} place="right" title={`${entry.action} ${objectWords(entry)}`}>
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <Facts
        facts={[
          ["When", <time key="when">{new Date(entry.timestamp).toLocaleString()}</time>],
          ["User", entry.user === "" ? "Server" : entry.user],
          ["Source IP", mono(entry.sourceIP)],
          ["Kind", entry.resourceType],
          ["Name", mono(entry.resourceName)],
          ["Namespace", mono(entry.resourceNamespace)],
          ["Team", entry.teamRef],
          ["Request", mono(`${entry.httpMethod} ${entry.path}`)],
          ["Status", entry.statusCode === 0 ? "unknown" : String(entry.statusCode)],
          ["Error code", mono(entry.code)],
          ["Fields", mono(entry.fields.join(", "))],
          ["Request ID", mono(entry.requestId)],
          ["Record ID", mono(entry.id)],
        ]}
      />
      <p className="b-soft">Field values are never recorded.</p>
    </Dialog>
  );
}

function mono(text: string) {
  return text === "" ? undefined : <span className="b-mono">{text}</span>;
}
