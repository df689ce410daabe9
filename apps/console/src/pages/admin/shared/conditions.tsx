import { StatusBadge } from "@butler/ui";

/** The displayed part of a condition. */
export interface ConditionFacts {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/** The conditions of an object with reason and message. */
export function Conditions({ conditions = [] }: { readonly conditions?: readonly ConditionFacts[] | undefined }) {
  if (conditions.length === 0) return <p className="b-soft">No conditions reported yet.</p>;
  return (
    <ul>
      {conditions.map(({ type, status, reason, message }) => (
        <li key={type}>
          <StatusBadge tone={status === "True" ? "ready" : status === "False" ? "attention" : "unknown"}>
            {type}: {status}
          </StatusBadge>
          <p className="b-soft">
            {reason} {message !== undefined && message !== "" && `· ${message}`}
          </p>
        </li>
      ))}
    </ul>
  );
}
