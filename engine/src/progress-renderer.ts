import { type Clock, formatDuration, systemClock } from "@butler/std";
import { summarizeError } from "./explain-error.ts";
import type { Progress, ProgressReport } from "./progress.ts";
import type { SourceName } from "./sources/source.ts";

const verbs: Readonly<Record<SourceName, string>> = { archive: "downloading", go: "building" };
const sourceTitles: Readonly<Record<SourceName, string>> = { archive: "download", go: "go build" };
const heartbeatMs = 15_000;

/** A text output; `process.stderr` is one. */
export interface TextSink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A live line for a terminal, plain lines for other outputs. */
export function renderProgress(sink: TextSink, clock: Clock = systemClock): Progress {
  return sink.isTTY === true ? terminalProgress(sink) : plainProgress(sink, clock);
}

/** One line for a terminal of the given width: the current tool, a bar, and the times. */
export function progressLine(report: ProgressReport, width: number): string {
  const head = `${verbs[report.source]} ${report.tool} ${report.version} (${report.position}/${report.count}) `;
  const tail = ` ${String(Math.floor(report.fraction * 100)).padStart(3)}%  ${times(report)}`;
  const room = Math.min(30, width - head.length - tail.length);
  const filled = Math.round(report.fraction * room);
  const bar = room < 5 ? "" : "█".repeat(filled) + "░".repeat(room - filled);
  return (head + bar + tail).slice(0, Math.max(0, width));
}

function times({ elapsedMs, remainingMs }: ProgressReport): string {
  return `${seconds(elapsedMs)}, about ${seconds(remainingMs)} left`;
}

function seconds(durationMs: number): string {
  return formatDuration(Math.round(durationMs / 1_000) * 1_000);
}

function subject(report: ProgressReport): string {
  return `${verbs[report.source]} ${report.tool} ${report.version} (${report.position} of ${report.count})`;
}

function readyLine(report: ProgressReport): string {
  return `${report.tool} ${report.version} is ready (${report.position} of ${report.count}, ${seconds(report.elapsedMs)})`;
}

/** Writes one line for each cause of failure. One cause, such as an unreachable host, often affects many tools. */
function failureWriter(write: (line: string) => void): Progress["failed"] {
  const told = new Set<unknown>();
  return ({ tool, version, source }, error) => {
    if (told.has(error)) return;
    told.add(error);
    write(`${tool} ${version}: ${sourceTitles[source]} failed: ${summarizeError(error)}`);
  };
}

/** A single line that is redrawn, with permanent lines above it. */
export function terminalProgress(sink: TextSink): Progress {
  const clearLine = "\r\u001b[2K";
  const draw = (text: string): void => void sink.write(`${clearLine}${text}`);
  const lasting = (text: string): void => void sink.write(`${clearLine}${text}\n`);
  // The last column stays free: a full line would make some terminals wrap.
  const live = (report: ProgressReport): void => draw(progressLine(report, (sink.columns ?? 80) - 1));
  return {
    waiting: (what) => draw(`waiting for ${what}`.slice(0, (sink.columns ?? 80) - 1)),
    noted: lasting,
    started: live,
    advanced: live,
    finished: (report) => lasting(readyLine(report)),
    failed: failureWriter(lasting),
    closed: () => draw(""),
  };
}

/** One line per event and an occasional heartbeat, for logs. */
export function plainProgress(sink: TextSink, clock: Clock = systemClock): Progress {
  let lastLineMs = clock.monotonicMs();
  const line = (text: string): void => {
    lastLineMs = clock.monotonicMs();
    sink.write(`engine: ${text}\n`);
  };
  return {
    waiting: (what) => line(`waiting for ${what}`),
    noted: line,
    started: (report) => line(`${subject(report)}, about ${seconds(report.remainingMs)} left in total`),
    advanced: (report) => {
      if (clock.monotonicMs() - lastLineMs < heartbeatMs) return;
      line(`still ${subject(report)}: ${times(report)}`);
    },
    finished: (report) => line(readyLine(report)),
    failed: failureWriter(line),
    closed: () => undefined,
  };
}
