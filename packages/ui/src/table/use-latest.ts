import { type RefObject, useLayoutEffect, useRef } from "react";

/** What a component was last given, for functions that stay the same from one drawing to the next. */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const held = useRef(value);
  useLayoutEffect(() => {
    held.current = value;
  });
  return held;
}
