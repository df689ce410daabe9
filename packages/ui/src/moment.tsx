import { useSyncExternalStore } from "react";
import { formatAge } from "./time.ts";

const everyMs = 10_000;
let nowMs = Math.floor(Date.now() / everyMs) * everyMs;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function follow(listener: () => void): () => void {
  listeners.add(listener);
  // The clock is paused without listeners.
  if (timer === undefined) nowMs = Date.now();
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const each of listeners) each();
  }, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Created once: construction is a hundred times as expensive as use. */
const wholeTime = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

/** The current time, updated every ten seconds by one clock per page. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(follow, () => nowMs));
}

/** The age of a timestamp, with the exact time on hover. */
export function Moment({ at }: { readonly at: string | undefined }) {
  const now = useNow();
  if (at === undefined) return <span>–</span>;
  return (
    <time dateTime={at} title={fullTime(at)} className="b-numbers">
      {formatAge(at, now)}
    </time>
  );
}

function fullTime(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : wholeTime.format(time);
}
