import type { ReactNode } from "react";
import { StatusSign, type Tone } from "./status.tsx";

/** A step of a long-running operation. */
export interface TimelineStep {
  readonly id: string;
  readonly label: string;
  readonly tone: Tone;
  /** The tone as a word, for screen readers. */
  readonly word: string;
  /** Duration, or elapsed time so far. */
  readonly time?: ReactNode;
  /** What it waits for, or why it failed. */
  readonly detail?: ReactNode;
}

/** Steps in order with their durations. Nothing is estimated. */
export function Timeline({ steps, label }: { readonly steps: readonly TimelineStep[]; readonly label: string }) {
  return (
    <ol className="b-timeline" aria-label={label}>
      {steps.map(({ id, label: name, tone, word, time, detail }) => (
        <li key={id} className="b-step" data-tone={tone} aria-current={tone === "working" ? "step" : undefined}>
          <StatusSign tone={tone} />
          <span>
            {name}
            <span className="b-unseen">: {word}</span>
          </span>
          <span className="b-soft b-numbers">{time}</span>
          {detail !== undefined && <div className="b-step-detail">{detail}</div>}
        </li>
      ))}
    </ol>
  );
}
