import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { rowWindow, type Sight } from "./row-window.ts";

/** Default until measured. */
const usual: Sight = { top: 0, height: 640 };

/** The visible part of a scrolling element. Changes only when other rows must be rendered. */
export function useSight(scroller: RefObject<HTMLElement | null>, rowHeight: number): Sight {
  const [sight, setSight] = useState(usual);
  const shown = useRef(sight);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      // A hidden element has no height.
      const next = { top: element.scrollTop, height: element.clientHeight || shown.current.height };
      if (isAlike(shown.current, next, rowHeight)) return;
      shown.current = next;
      setSight(next);
    };
    // Flushed in the same frame as the scroll, to avoid gaps.
    const onScroll = (): void => flushSync(look);
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, rowHeight]);
  return sight;
}

function isAlike(one: Sight, other: Sight, rowHeight: number): boolean {
  const [left, right] = [one, other].map((sight) => rowWindow(sight, rowHeight, Number.POSITIVE_INFINITY));
  return left?.first === right?.first && left?.end === right?.end;
}
