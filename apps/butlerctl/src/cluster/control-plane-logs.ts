import type { Pod } from "@butler/api-external";
import { UsageError } from "@butler/cli-kit";
import { podLogPath } from "@butler/kube";

/** One container whose log is read. */
export interface LogSource {
  readonly pod: string;
  readonly container: string;
}

/** The containers to read logs from: those of one component, or all. */
export function logSources(pods: readonly Pod[], component: string | undefined): LogSource[] {
  const all = [...pods]
    .sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1))
    .flatMap(({ metadata, spec }) => spec.containers.map(({ name }) => ({ pod: metadata.name, container: name })));
  if (component === undefined || all.length === 0) return all;
  const chosen = all.filter(({ container }) => isSame(container, component));
  if (chosen.length > 0) return chosen;
  const names = [...new Set(all.map(({ container }) => container))];
  throw new UsageError(`the control plane has no component "${component}"`, {
    hint: `Components: ${names.join(", ")}.`,
  });
}

/** `apiserver` is short for `kube-apiserver`. */
function isSame(container: string, component: string): boolean {
  return container === component || container === `kube-${component}`;
}

/** Which part of a log to read. */
export interface LogWish {
  readonly follow?: boolean | undefined;
  readonly previous?: boolean | undefined;
  readonly timestamps?: boolean | undefined;
  /** Lines from the end; all when below 0. */
  readonly tail: number;
  readonly sinceMs?: number | undefined;
}

/** The API path of a log. */
export function logPath(namespace: string, { pod, container }: LogSource, wish: LogWish): string {
  const { follow, previous, timestamps, tail, sinceMs } = wish;
  const tailLines = tail < 0 ? undefined : tail;
  const sinceSeconds = sinceMs === undefined ? undefined : Math.ceil(sinceMs / 1000);
  return podLogPath({ namespace, name: pod }, { container, follow, previous, timestamps, tailLines, sinceSeconds });
}

/** The prefix that identifies the source of a line; empty when there is only one source. */
export function linePrefix({ pod, container }: LogSource, sources: readonly LogSource[]): string {
  if (sources.length <= 1) return "";
  const hasOnePod = sources.every((other) => other.pod === pod);
  const hasOneContainer = sources.every((other) => other.container === container);
  if (hasOnePod) return `[${container}] `;
  return hasOneContainer ? `[${pod}] ` : `[${pod}/${container}] `;
}

/** The lines of a stream of text, however it was cut into pieces. */
export async function* linesOf(chunks: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

/** A line without control and bidirectional characters; tabs and spaces are kept. */
export function harmless(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (character === "\t" ? character : ""));
}
