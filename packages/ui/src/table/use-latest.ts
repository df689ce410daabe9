import { type RefObject, useLayoutEffect, useRef } from "react";

/** The latest value of a prop, for callbacks that are stable across renders. */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const held = useRef(value);
  useLayoutEffect(() => {
    held.current = value;
  });
  return held;
}
