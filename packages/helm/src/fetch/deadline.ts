import type { Clock } from "@butler/std";
import { timeoutFault } from "./network-fault.ts";

/** A signal that aborts with another, or when time is up. `done` must be called in the end. */
export function deadline(
  signal: AbortSignal,
  { clock, ms, host }: { readonly clock: Clock; readonly ms: number; readonly host: string },
): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const timer = clock.after(ms, () => controller.abort(timeoutFault(host, `it was not done within ${ms / 1000} s`)));
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    done: () => {
      timer.cancel();
      signal.removeEventListener("abort", onAbort);
    },
  };
}
