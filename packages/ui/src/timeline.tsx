import type { ReactNode } from "react";
import { StatusSign, type Tone } from "./status.tsx";

/** One step of something that takes a while. */
export interface TimelineStep {
  readonly id: string;
  readonly label: string;
  readonly tone: Tone;
  /** The tone in a word, for those who do not see the sign. */
  readonly word: string;
  /** How long it took, or since when it lasts. */
  readonly time?: ReactNode;
  /** What it waits for, or why it failed. */
  readonly detail?: ReactNode;
}

/** Steps in their order, each with what it took. The steps are real ones; nothing is estimated. */
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
