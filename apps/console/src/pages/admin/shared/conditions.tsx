import { StatusBadge } from "@butler/ui";

/** As much of a condition as is shown of it. */
export interface ConditionFacts {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/** The conditions of an object, each with its reason. */
export function Conditions({ conditions = [] }: { readonly conditions?: readonly ConditionFacts[] | undefined }) {
  if (conditions.length === 0) return <p className="b-soft">Nothing has been said about it yet.</p>;
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
