import type { AuditSegment } from "@butler/api";
import { readLine, type StoredRecord } from "./record.ts";

/** A search query. Undefined fields match anything. */
export interface AuditQuery {
  readonly user?: string | undefined;
  readonly action?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceName?: string | undefined;
  readonly resourceNamespace?: string | undefined;
  readonly teamRef?: string | undefined;
  readonly success?: boolean | undefined;
  /** Start of the period, as RFC 3339 text in UTC. */
  readonly from?: string | undefined;
  /** End of the period. */
  readonly to?: string | undefined;
  /** Search terms, all of which must occur. */
  readonly search?: string | undefined;
}

/** A position in the log, newest first: after the record with this timestamp, chain and number. */
export interface AuditPosition {
  readonly timestamp: string;
  readonly chain: string;
  readonly number: number;
}

/** A found record. An intent without an outcome has an unknown result. */
export interface FoundRecord {
  readonly record: StoredRecord;
  readonly position: AuditPosition;
}

const exactFields = ["action", "resourceType", "resourceName", "resourceNamespace", "teamRef"] as const;

/** An outcome follows its intent within the time of a request; an intent older than that has none. */
const longestRequestMs = 120_000;

/**
 * Finds records, newest first, over all chains. Lines are compared as text before any of them is parsed, and a segment
 * is only opened once nothing newer is left elsewhere: the first page costs a look at the newest segments.
 */
export function* searchSegments(
  segments: readonly AuditSegment[],
  query: AuditQuery,
  after?: AuditPosition,
): Generator<FoundRecord> {
  const matcher = matcherOf(query);
  const chains = [...Map.groupBy(segments, ({ spec }) => spec.chain).values()].map(
    (own) => new ChainWalk(own, { matcher, query, after }),
  );
  for (;;) {
    let newest: ChainWalk | undefined;
    for (const walk of chains) if (walk.bound !== undefined && isNewer(walk, newest)) newest = walk;
    if (newest === undefined) return;
    const found = newest.take();
    if (found !== undefined) yield found;
  }
}

function isNewer(walk: ChainWalk, than: ChainWalk | undefined): boolean {
  if (than?.bound === undefined || walk.bound === undefined) return true;
  if (walk.bound !== than.bound) return walk.bound > than.bound;
  // Of two that may be equally new, the one that is not opened yet goes first, lest it be passed over.
  if (walk.isOpened !== than.isOpened) return !walk.isOpened;
  return walk.chain > than.chain;
}

interface WalkOptions {
  readonly matcher: Matcher;
  readonly query: AuditQuery;
  readonly after: AuditPosition | undefined;
}

/** The records of one chain that match, newest first, a segment at a time. */
class ChainWalk {
  readonly chain: string;
  readonly #segments: AuditSegment[];
  readonly #all: readonly AuditSegment[];
  readonly #options: WalkOptions;
  #ready: FoundRecord[] = [];

  constructor(segments: readonly AuditSegment[], options: WalkOptions) {
    const { from = "", to } = options.query;
    this.chain = segments[0]?.spec.chain ?? "";
    this.#all = segments.toSorted((left, right) => left.spec.sequence - right.spec.sequence);
    this.#options = options;
    const until = [to, options.after?.timestamp].filter((time) => time !== undefined).sort()[0];
    this.#segments = this.#all.filter(
      ({ spec }) => spec.lastTime >= from && (until === undefined || spec.firstTime <= until),
    );
  }

  get isOpened(): boolean {
    return this.#ready.length > 0;
  }

  /** No record that is still to come is newer than this; undefined when there is none. */
  get bound(): string | undefined {
    return this.#ready.at(-1)?.position.timestamp ?? this.#segments.at(-1)?.spec.lastTime;
  }

  /** The next record, or undefined after a segment was opened instead. */
  take(): FoundRecord | undefined {
    const next = this.#ready.pop();
    if (next !== undefined) return next;
    const segment = this.#segments.pop();
    if (segment !== undefined) this.#ready = this.#open(segment);
    return undefined;
  }

  #open(segment: AuditSegment): FoundRecord[] {
    const { matcher, query, after } = this.#options;
    const { from = "", to } = query;
    if (!matcher.mayBeIn(segment.spec.lines)) return [];
    return segment.spec.lines.split("\n").flatMap((line) => {
      const record = matcher.read(line);
      if (record === undefined || record.timestamp < from || (to !== undefined && record.timestamp > to)) return [];
      const position = { timestamp: record.timestamp, chain: this.chain, number: record.number };
      if (after !== undefined && !isBehind(position, after)) return [];
      return record.phase === "intent" && this.#hasOutcome(record) ? [] : [{ record, position }];
    });
  }

  #hasOutcome({ requestId, timestamp, number }: StoredRecord): boolean {
    const latest = new Date(Date.parse(timestamp) + longestRequestMs).toISOString();
    const needle = `"requestId":${JSON.stringify(requestId)}`;
    const later = this.#all.filter(({ spec }) => spec.lastTime >= timestamp && spec.firstTime <= latest);
    return later.some(({ spec }) => {
      if (!spec.lines.includes(needle)) return false;
      return spec.lines.split("\n").some((line) => {
        const other = line.includes(needle) ? readLine(line) : undefined;
        return other !== undefined && other.phase === "outcome" && other.number > number;
      });
    });
  }
}

function isBehind(position: AuditPosition, after: AuditPosition): boolean {
  if (position.timestamp !== after.timestamp) return position.timestamp < after.timestamp;
  if (position.chain !== after.chain) return position.chain < after.chain;
  return position.number < after.number;
}

/** Finds lines by their text, and parses those that are left. */
interface Matcher {
  /** Whether a match can be in the text of a segment at all. */
  readonly mayBeIn: (text: string) => boolean;
  readonly read: (line: string) => StoredRecord | undefined;
}

function matcherOf(query: AuditQuery): Matcher {
  const user = query.user?.trim().toLowerCase();
  const wanted = [...exactFields.map((field) => [field, query[field]] as const), ["user", user] as const];
  const needles = wanted.flatMap(([field, value]) =>
    value === undefined ? [] : [`"${field}":${JSON.stringify(value)}`],
  );
  if (query.success !== undefined) needles.push(`"success":${query.success}`);
  const words = (query.search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  // A word that JSON writes in another way cannot be looked for in the text.
  const plainWords = words.filter((word) => JSON.stringify(word) === `"${word}"`);
  const hasNeedles = (text: string): boolean => needles.every((needle) => text.includes(needle));
  return {
    mayBeIn: (text) => {
      if (!hasNeedles(text)) return false;
      const lower = plainWords.length === 0 ? "" : text.toLowerCase();
      return plainWords.every((word) => lower.includes(word));
    },
    read: (line) => {
      if (line === "" || !hasNeedles(line)) return undefined;
      const record = readLine(line);
      if (record === undefined || words.length === 0) return record;
      const text = textOf(record);
      return words.every((word) => text.includes(word)) ? record : undefined;
    },
  };
}

function textOf(record: StoredRecord): string {
  const { user, action, resourceType, resourceName, resourceNamespace, teamRef, path, code, sourceIP, fields } = record;
  return [user, action, resourceType, resourceName, resourceNamespace, teamRef, path, code, sourceIP, ...fields]
    .join(" ")
    .toLowerCase();
}
