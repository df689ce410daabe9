import type { Clock } from "@butler/std";

/** The limits of a pass, and what to do when it ignores them. */
export interface PassLimits {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  readonly onOverdue: (timeoutMs: number) => void;
}

const defaultTimeoutMs = 120_000;

/**
 * Runs a pass with a signal that aborts after its timeout. Work that ignores the signal cannot be stopped, and two
 * passes over one object would be worse, so it is waited for and reported.
 */
export async function limitPass<T>(
  { clock, signal, timeoutMs = defaultTimeoutMs, onOverdue }: PassLimits,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const overdue = clock.after(2 * timeoutMs, () => onOverdue(timeoutMs));
  try {
    return await run(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  } finally {
    overdue.cancel();
  }
}
