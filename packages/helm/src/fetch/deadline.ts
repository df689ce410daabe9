import type { Clock } from "@butler/std";
import { timeoutFault } from "./network-fault.ts";

/** A signal that aborts with another one or on timeout. `done` must be called at the end. */
export function deadline(
  signal: AbortSignal,
  { clock, ms, host }: { readonly clock: Clock; readonly ms: number; readonly host: string },
): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const timer = clock.after(ms, () => controller.abort(timeoutFault(host, `not finished within ${ms / 1000} s`)));
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
