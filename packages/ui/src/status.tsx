import type { ReactNode } from "react";

/** Tone of a state. Always combined with a shape and a word, never color alone. */
export type Tone = "ready" | "working" | "attention" | "failed" | "asleep" | "unknown";

const signs: Readonly<Record<Tone, string>> = {
  ready: "●",
  working: "◐",
  attention: "▲",
  failed: "✕",
  asleep: "○",
  unknown: "–",
};

/** The sign of a tone. */
export function StatusSign({ tone }: { readonly tone: Tone }) {
  return (
    <span className="b-sign" aria-hidden="true">
      {signs[tone]}
    </span>
  );
}

/** A status sign with its label. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="b-status" data-tone={tone}>
      <StatusSign tone={tone} />
      {children}
    </span>
  );
}
