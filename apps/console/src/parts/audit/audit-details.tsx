import { Dialog, Facts, StatusBadge } from "@butler/ui";
import { type AuditEntry, objectWords, outcomeOf } from "./record.ts";

/** Everything that a record says, beside the list. */
export function AuditDetails({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const { tone, word } = outcomeOf(entry);
  return (
    <Dialog isOpen onClose={onClose} place="right" title={`${entry.action} ${objectWords(entry)}`}>
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <Facts
        facts={[
          ["When", <time key="when">{new Date(entry.timestamp).toLocaleString()}</time>],
          ["Who", entry.user === "" ? "The server itself" : entry.user],
          ["From", mono(entry.sourceIP)],
          ["Kind", entry.resourceType],
          ["Name", mono(entry.resourceName)],
          ["Namespace", mono(entry.resourceNamespace)],
          ["Team", entry.teamRef],
          ["Request", mono(`${entry.httpMethod} ${entry.path}`)],
          ["Answer", entry.statusCode === 0 ? "not known" : String(entry.statusCode)],
          ["Problem", mono(entry.code)],
          ["Fields that were named", mono(entry.fields.join(", "))],
          ["Request number", mono(entry.requestId)],
          ["Record", mono(entry.id)],
        ]}
      />
      <p className="b-soft">Values are never recorded.</p>
    </Dialog>
  );
}

function mono(text: string) {
  return text === "" ? undefined : <span className="b-mono">{text}</span>;
}
