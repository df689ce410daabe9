import type { AuditSegment } from "@butler/api";
import { readLine } from "@butler/audit";
import type { AnchoredChain, AnchoredChains } from "./anchors.ts";
import { noHash } from "./chain.ts";
import { hashOf } from "./record-line.ts";

/** The first break of a chain. */
export interface ChainBreak {
  /** Number of the record at which it shows. */
  readonly number: number;
  /**
   * `changed`: a line is not the one whose hash is known. `missing`: there are records before and after. `unreadable`:
   * a line is no record. `cut`: another chain knows of a later record than there is.
   */
  readonly reason: "changed" | "missing" | "unreadable" | "cut";
}

/** Result of the verification of lines of one chain. */
export interface LinesVerdict {
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly lastHash: string;
  readonly break?: ChainBreak | undefined;
  /** The text ends within a line: the copy was truncated, not tampered with. */
  readonly isTorn: boolean;
  readonly anchors: Readonly<Record<string, string>>;
  readonly hashes: ReadonlyMap<number, string>;
}

/** Where lines are expected to go on from; undefined takes the first line's word for it. */
export interface Expected {
  readonly number: number;
  readonly hash: string;
}

/** Verifies lines of one chain, such as an exported file. */
export function verifyLines(text: string, after?: Expected): LinesVerdict {
  const pieces = text.split("\n");
  const isTorn = pieces.pop() !== "";
  const hashes = new Map<number, string>();
  const anchors: Record<string, string> = {};
  let expected = after;
  let firstNumber = 0;
  const verdict = (found?: ChainBreak): LinesVerdict => {
    const { number: lastNumber, hash: lastHash } = expected ?? { number: 0, hash: noHash };
    return { firstNumber, lastNumber, lastHash, break: found, isTorn, anchors, hashes };
  };
  for (const line of pieces) {
    const record = readLine(line);
    const due = (expected?.number ?? 0) + 1;
    if (record === undefined) return verdict({ number: due, reason: "unreadable" });
    if (expected !== undefined && record.number !== due) return verdict({ number: due, reason: "missing" });
    if (expected !== undefined && record.previous !== expected.hash) {
      return verdict({ number: expected.number, reason: "changed" });
    }
    firstNumber ||= record.number;
    Object.assign(anchors, record.anchors);
    expected = { number: record.number, hash: hashOf(line) };
    hashes.set(expected.number, expected.hash);
  }
  return verdict();
}

/** Result of the verification of one chain. */
export interface ChainVerdict {
  readonly chain: string;
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly break?: ChainBreak | undefined;
  /** The first records have expired. */
  readonly isBeginningExpired: boolean;
  /** Whether its process recorded its end; false if it was killed or is still running. */
  readonly isEnded: boolean;
}

/**
 * Verifies all stored segments: each chain on its own, the anchors between chains, and the anchors outside of the
 * segments, by which deleted chains, beginnings and ends are found.
 */
export function verifySegments(segments: readonly AuditSegment[], anchored: AnchoredChains = {}): ChainVerdict[] {
  const chains = Map.groupBy(segments, ({ spec }) => spec.chain);
  const found = [...chains].map(([chain, own]) => ({ chain, ...verifyChain(own) }));
  const anchors = found.flatMap((each) => Object.entries(each.anchors));
  const gone = Object.entries(anchored).filter(([chain]) => !chains.has(chain));
  const verdicts: ChainVerdict[] = found.map(({ anchors: _anchors, hashes, ...verdict }) => ({
    ...verdict,
    break: verdict.break ?? cutOf(verdict, { hashes, anchors }) ?? lossOf(verdict, hashes, anchored[verdict.chain]),
  }));
  verdicts.push(...gone.map(([chain, anchor]) => goneChain(chain, anchor)));
  return verdicts.sort((left, right) => (left.chain < right.chain ? -1 : 1));
}

type Found = Omit<ChainVerdict, "chain"> & Pick<LinesVerdict, "anchors" | "hashes">;

function verifyChain(own: readonly AuditSegment[]): Found {
  const ordered = own.toSorted((left, right) => left.spec.sequence - right.spec.sequence);
  const { firstRecord = 1, previousHash = noHash, sequence = 1 } = ordered[0]?.spec ?? {};
  const hashes = new Map<number, string>();
  const anchors: Record<string, string> = {};
  let expected: Expected = { number: firstRecord - 1, hash: previousHash };
  let broken: ChainBreak | undefined;
  for (const { spec } of ordered) {
    const verdict = verifyLines(spec.lines, expected);
    for (const [number, hash] of verdict.hashes) hashes.set(number, hash);
    Object.assign(anchors, verdict.anchors);
    expected = { number: verdict.lastNumber, hash: verdict.lastHash };
    broken = breakOf(spec, verdict);
    if (broken !== undefined) break;
  }
  return {
    firstNumber: firstRecord,
    lastNumber: expected.number,
    break: broken,
    isBeginningExpired: sequence > 1,
    isEnded: lastActionOf(ordered.at(-1)) === endAction,
    anchors,
    hashes,
  };
}

function breakOf(spec: AuditSegment["spec"], verdict: LinesVerdict): ChainBreak | undefined {
  if (verdict.break !== undefined) return verdict.break;
  if (verdict.isTorn) return { number: verdict.lastNumber + 1, reason: "unreadable" };
  // The hash of the last line is recorded only in the segment itself.
  return spec.lastHash === verdict.lastHash ? undefined : lostEnd(spec, verdict.lastNumber);
}

function lastActionOf(segment: AuditSegment | undefined): string | undefined {
  return readLine(segment?.spec.lines.trimEnd().split("\n").at(-1) ?? "")?.action;
}

function lostEnd({ firstRecord, records }: AuditSegment["spec"], last: number): ChainBreak {
  const isShorter = last < firstRecord + records - 1;
  return isShorter ? { number: last + 1, reason: "missing" } : { number: last, reason: "changed" };
}

function cutOf(
  { chain, firstNumber }: Pick<ChainVerdict, "firstNumber"> & { readonly chain: string },
  { hashes, anchors }: { readonly hashes: ReadonlyMap<number, string>; readonly anchors: readonly [string, string][] },
): ChainBreak | undefined {
  for (const [anchored, at] of anchors) {
    const [numberText = "", hash = ""] = at.split(":");
    const number = Number(numberText);
    if (anchored !== chain || number < firstNumber) continue;
    const own = hashes.get(number);
    if (own === undefined) return { number, reason: "cut" };
    if (own !== hash) return { number, reason: "changed" };
  }
  return undefined;
}

/** What a chain lacks, by its anchor outside of the segments. */
function lossOf(
  { firstNumber }: Pick<ChainVerdict, "firstNumber">,
  hashes: ReadonlyMap<number, string>,
  anchor: AnchoredChain | undefined,
): ChainBreak | undefined {
  if (anchor === undefined) return undefined;
  if (firstNumber > anchor.first) return { number: anchor.first, reason: "missing" };
  if (anchor.last < firstNumber) return undefined;
  const hash = hashes.get(anchor.last);
  if (hash === undefined) return { number: anchor.last, reason: "cut" };
  return hash === anchor.hash ? undefined : { number: anchor.last, reason: "changed" };
}

/** The verdict about a chain of which nothing is left. */
function goneChain(chain: string, { first }: AnchoredChain): ChainVerdict {
  const nothing = { firstNumber: first, lastNumber: first - 1, isBeginningExpired: first > 1, isEnded: false };
  return { chain, ...nothing, break: { number: first, reason: "missing" } };
}

/** The action of the last record after a clean shutdown. */
export const endAction = "end-log";
