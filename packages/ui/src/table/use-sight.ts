import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { rowWindow, type Sight } from "./row-window.ts";

/** Until something is measured. */
const usual: Sight = { top: 0, height: 640 };

/** What is in sight in an element that scrolls. It changes only when other rows have to be in the page. */
export function useSight(scroller: RefObject<HTMLElement | null>, rowHeight: number): Sight {
  const [sight, setSight] = useState(usual);
  const shown = useRef(sight);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      // An element that is not shown has no height, and nothing to measure.
      const next = { top: element.scrollTop, height: element.clientHeight || shown.current.height };
      if (isAlike(shown.current, next, rowHeight)) return;
      shown.current = next;
      setSight(next);
    };
    // In the frame in which the element is scrolled, so that no gap is seen.
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
