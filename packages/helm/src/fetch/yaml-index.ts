import type { Span } from "./json-index.ts";
import { Pacer } from "./pacer.ts";
import { keyOf, lineAt, type YamlLine } from "./yaml-lines.ts";

/** Finds the charts of an index in YAML by its indentation. Undefined when it has no entries, or cannot be followed. */
export async function scanYamlIndex(bytes: Buffer, signal: AbortSignal): Promise<Map<string, Span> | undefined> {
  const pacer = new Pacer();
  const outline = new Outline(bytes);
  for (let at = 0; at < bytes.length && !outline.isBroken;) {
    if (pacer.isDue) await pacer.pause(signal);
    const line = lineAt(bytes, at);
    at = line.next;
    if (!line.isBlank) outline.add(line);
  }
  outline.finish(bytes.length);
  return outline.hasEntries && !outline.isBroken ? outline.charts : undefined;
}

/** The structure of an index: the keys directly below `entries`, and the positions of their lists. */
class Outline {
  readonly charts = new Map<string, Span>();
  hasEntries = false;
  isBroken = false;
  readonly #bytes: Buffer;
  #isInside = false;
  #indent: number | undefined;
  #chart: { readonly name: string; readonly start: number } | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  add(line: YamlLine): void {
    if (line.indent === 0 && !(this.#isInside && line.isItem)) this.#topKey(line);
    else if (this.#isInside && !line.isItem && line.indent <= (this.#indent ?? line.indent)) this.#chartKey(line);
  }

  finish(end: number): void {
    if (this.#chart !== undefined) this.charts.set(this.#chart.name, [this.#chart.start, end]);
    this.#chart = undefined;
  }

  #topKey(line: YamlLine): void {
    this.finish(line.start);
    const found = this.#keyOf(line);
    this.#isInside = found?.key === "entries";
    this.hasEntries ||= this.#isInside;
    // Entries within braces on their own line are valid YAML that no known tool writes; only none at all is so common.
    if (this.#isInside && found?.rest !== "" && !/^\{\s*\}/.test(found?.rest ?? "")) this.isBroken = true;
  }

  #chartKey(line: YamlLine): void {
    this.finish(line.start);
    this.#indent ??= line.indent;
    const found = line.indent === this.#indent ? this.#keyOf(line) : undefined;
    if (found === undefined) this.isBroken = true;
    else this.#chart = { name: found.key, start: line.next };
  }

  /** Keys are found at the start of a line. */
  #keyOf({ start, indent, next }: YamlLine): ReturnType<typeof keyOf> {
    return keyOf(this.#bytes.toString("utf8", start + indent, Math.min(next, start + indent + 2048)));
  }
}

/** Each item starts with a dash at the indentation of the first. Yields undefined at intervals, so that the caller can pause. */
export function* itemsOfYaml(bytes: Buffer, [start, end]: Span): Generator<Span | undefined> {
  let indent: number | undefined;
  let itemStart: number | undefined;
  let lines = 0;
  for (let at = start; at < end;) {
    lines += 1;
    if (lines % 1000 === 0) yield undefined;
    const line = lineAt(bytes, at);
    at = line.next;
    if (line.isBlank || !line.isItem || line.indent !== (indent ?? line.indent)) continue;
    indent ??= line.indent;
    if (itemStart !== undefined) yield [itemStart, line.start];
    itemStart = line.start;
  }
  if (itemStart !== undefined) yield [itemStart, end];
}
