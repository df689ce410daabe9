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

/** The place of something that is on its way: lines where the content will be. */
export function LoadingState({ label = "Loading", lines = 6 }: { readonly label?: string; readonly lines?: number }) {
  return (
    <div className="b-skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_none, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** Nothing there yet: one sentence, one thing to do, and the same from a command line. */
export interface EmptyStateProps {
  readonly title: string;
  readonly sentence?: ReactNode;
  readonly action?: ReactNode;
  readonly command?: string;
}

/** Says that there is nothing, and what to do about it. */
export function EmptyState({ title, sentence, action, command }: EmptyStateProps) {
  return (
    <State tone="asleep" title={title}>
      {sentence !== undefined && <p className="b-soft">{sentence}</p>}
      {action}
      {command !== undefined && <CodeBlock text={command} language="plain" label="The same from a command line" />}
    </State>
  );
}

/** What went wrong, in the words of whoever says so. */
export interface ErrorFacts {
  readonly title: string;
  readonly detail: string;
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
  /** Names the request in the server's logs. */
  readonly requestId?: string | undefined;
}

/** Says what went wrong, its code, what to do about it, and lets one try again. */
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

/** Says that one may not, and who may. */
export function ForbiddenState({ sentence, action }: { readonly sentence: string; readonly action?: ReactNode }) {
  return (
    <State tone="attention" title="This is not open to you">
      <p className="b-soft">{sentence}</p>
      {action}
    </State>
  );
}

/** A line above content: what is stale, what is read only, what has to be known first. */
export function Notice({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <div className="b-notice" data-tone={tone} role="status">
      <StatusSign tone={tone} />
      <div className="b-notice-words">{children}</div>
    </div>
  );
}

/** Says that what is shown may be out of date. */
export function StaleNotice({ since }: { readonly since?: ReactNode }) {
  return (
    <Notice tone="attention">
      <span>
        No live connection{since === undefined ? "" : " since "}
        {since}. What you see may be out of date; it catches up by itself.
      </span>
    </Notice>
  );
}
