import { useEffect, useRef } from "react";

/** Refetches when a value from the live channel changes, never on a timer. */
export function useRefetchWhen(changed: unknown, refetch: () => unknown): void {
  const seen = useRef(changed);
  const ask = useRef(refetch);
  ask.current = refetch;
  useEffect(() => {
    if (seen.current !== changed) ask.current();
    seen.current = changed;
  }, [changed]);
}
