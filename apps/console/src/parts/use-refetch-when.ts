import { useEffect, useRef } from "react";

/** Asks anew whenever something that the live channel tells of has changed, and never by the clock. */
export function useRefetchWhen(changed: unknown, refetch: () => unknown): void {
  const seen = useRef(changed);
  const ask = useRef(refetch);
  ask.current = refetch;
  useEffect(() => {
    if (seen.current !== changed) ask.current();
    seen.current = changed;
  }, [changed]);
}
