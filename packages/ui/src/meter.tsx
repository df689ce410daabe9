import type { ReactNode } from "react";

/** Usage, requested amount and limit. */
export interface MeterProps {
  readonly label: string;
  readonly used: number;
  readonly asked?: number;
  /** Undefined without a limit. */
  readonly limit: number | undefined;
  /** The numbers with units. */
  readonly words: ReactNode;
}

/** Shares of the bar in percent, capped at the limit. */
export function meterShares({ used, asked = 0, limit }: Pick<MeterProps, "used" | "asked" | "limit">) {
  if (limit === undefined || limit <= 0) return { used: 0, asked: 0, isExceeded: limit === 0 && used + asked > 0 };
  const usedShare = Math.min(100, Math.max(0, (used / limit) * 100));
  const askedShare = Math.min(100 - usedShare, Math.max(0, (asked / limit) * 100));
  return { used: usedShare, asked: askedShare, isExceeded: used + asked > limit };
}

/** A usage bar: grey below 80 percent, amber from 80 percent, red over the limit. */
export function Meter({ label, words, ...amounts }: MeterProps) {
  const { used, asked, isExceeded } = meterShares(amounts);
  const tone = isExceeded ? "failed" : used + asked >= 80 ? "attention" : "ready";
  return (
    <div className="b-meter" data-tone={tone}>
      <div className="b-meter-words">
        <span>{label}</span>
        <span className="b-numbers b-soft">
          {words}
          {isExceeded && " · over the limit"}
        </span>
      </div>
      {amounts.limit !== undefined && (
        <div className="b-meter-bar" aria-hidden="true">
          <span data-part="used" style={{ width: `${used}%` }} />
          <span data-part="asked" style={{ width: `${asked}%` }} />
        </div>
      )}
    </div>
  );
}
