import type { AuditSegment } from "@butler/api";
import type { AuditAnchor, AnchorReading } from "./audit-anchor.ts";
import { type ChainVerdict, verifySegments } from "./verify.ts";

/** Result of the verification of the whole log. */
export interface LogVerdict {
  readonly isIntact: boolean;
  readonly anchor: AnchorReading["state"];
  readonly chains: ChainVerdict[];
}

/** Verifies the whole log. */
export type LogVerifier = () => Promise<LogVerdict>;

/** Dependencies of the verification. */
export interface VerifyLogParts {
  readonly anchor: Pick<AuditAnchor, "read">;
  /** From memory, which lags behind a little. */
  readonly cached: () => readonly AuditSegment[];
  /** From the API server. */
  readonly stored: () => Promise<readonly AuditSegment[]>;
}

const attempts = 3;

/**
 * Verifies what is in memory. Memory lags behind the anchors, and segments expire while they are read: what seems
 * broken is read again from the API server before it is reported.
 */
export function logVerifier({ anchor, cached, stored }: VerifyLogParts): LogVerifier {
  return async () => {
    let verdict = judge(await anchor.read(), cached());
    for (let attempt = 0; attempt < attempts && !verdict.isIntact; attempt++) {
      const reading = await anchor.read();
      verdict = judge(reading, await stored());
    }
    return verdict;
  };
}

function judge(reading: AnchorReading, segments: readonly AuditSegment[]): LogVerdict {
  const chains = verifySegments(segments, reading.state === "valid" ? reading.chains : {});
  const isAnchored = reading.state === "valid" || reading.state === "pending";
  return { isIntact: isAnchored && chains.every((chain) => chain.break === undefined), anchor: reading.state, chains };
}
