import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";
import { StatusSign, type Tone } from "./status.tsx";

interface StateProps {
  readonly tone: Tone;
  readonly title: string;
  readonly children?: ReactNode;
}

function State({ tone, title, children }: StateProps) {
  return (
    <div className="b-state" data-tone={tone}>
      <StatusSign tone={tone} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Skeleton lines for content that is loading. */
export function LoadingState({ label = "Loading", lines = 6 }: { readonly label?: string; readonly lines?: number }) {
  return (
    <div className="b-skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_none, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** Props of an empty state: one sentence, one action and the equivalent command. */
export interface EmptyStateProps {
  readonly title: string;
  readonly sentence?: ReactNode;
  readonly action?: ReactNode;
  readonly command?: string;
}

/** An empty state with the first action to take. */
export function EmptyState({ title, sentence, action, command }: EmptyStateProps) {
  return (
    <State tone="asleep" title={title}>
      {sentence !== undefined && <p className="b-soft">{sentence}</p>}
      {action}
      {command !== undefined && <CodeBlock text={command} language="plain" label="Command line" />}
    </State>
  );
}

/** Facts of an error for display. */
export interface ErrorFacts {
  readonly title: string;
  readonly detail: string;
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
  /** Identifies the request in the server's logs. */
  readonly requestId?: string | undefined;
}

/** An error with message, code, remedy and a retry button. */
export function ErrorState({
  title,
  detail,
  code,
  hint,
  requestId,
  onRetry,
}: ErrorFacts & { readonly onRetry?: () => void }) {
  return (
    <div role="alert">
      <State tone="failed" title={title}>
        <p>{detail}</p>
        {hint !== undefined && <p className="b-soft">{hint}</p>}
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
        <p className="b-soft b-mono">{[code, requestId].filter((part) => part !== undefined).join(" · ")}</p>
      </State>
    </div>
  );
}

/** Permission denied, with the required role. */
export function ForbiddenState({ sentence, action }: { readonly sentence: string; readonly action?: ReactNode }) {
  return (
    <State tone="attention" title="Permission denied">
      <p className="b-soft">{sentence}</p>
      {action}
    </State>
  );
}

/** A notice above content, such as stale data or read-only access. */
export function Notice({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <div className="b-notice" data-tone={tone} role="status">
      <StatusSign tone={tone} />
      <div className="b-notice-words">{children}</div>
    </div>
  );
}

/** Notice that the data may be out of date. */
export function StaleNotice({ since }: { readonly since?: ReactNode }) {
  return (
    <Notice tone="attention">
      <span>
        No live connection{since === undefined ? "" : " since "}
        {since}. Data may be out of date until the connection is restored.
      </span>
    </Notice>
  );
}
