import { createHmac, timingSafeEqual } from "node:crypto";
import type { AuditSegment } from "@butler/api";
import { z } from "zod";
import type { ChainHead } from "./chain.ts";

const anchoredChain = z.object({
  /** Number of the first retained record. */
  first: z.number(),
  /** Number and hash of a record that was the last one; there may be later ones. */
  last: z.number(),
  hash: z.string(),
});
const anchoredChains = z.record(z.string(), anchoredChain);

/** What is known of a chain apart from its segments. */
export type AnchoredChain = z.output<typeof anchoredChain>;
export type AnchoredChains = Readonly<Record<string, AnchoredChain>>;

/** The anchors as they are kept, with a hash that only holders of the key can make. */
export interface SealedAnchors {
  readonly chains: string;
  readonly mac: string;
}

/** Seals anchors with a key. */
export function sealAnchors(chains: AnchoredChains, key: Uint8Array): SealedAnchors {
  const sorted = Object.entries(chains).sort(([left], [right]) => (left < right ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(sorted));
  return { chains: text, mac: macOf(text, key) };
}

/** Opens sealed anchors; undefined if they were changed. */
export function openAnchors({ chains, mac }: SealedAnchors, key: Uint8Array): AnchoredChains | undefined {
  const [given, own] = [Buffer.from(mac), Buffer.from(macOf(chains, key))];
  if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
  try {
    return anchoredChains.safeParse(JSON.parse(chains)).data;
  } catch {
    return undefined;
  }
}

function macOf(text: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(`butler-audit-anchors\n${text}`).digest("hex");
}

/** Moves the head of a chain forward; `first` counts if the chain is new. */
export function withHead(
  chains: AnchoredChains,
  { chain, number, hash }: Omit<ChainHead, "timestamp">,
  first: number,
): AnchoredChains {
  const known = chains[chain];
  if (number === 0 || (known !== undefined && known.last >= number)) return chains;
  return { ...chains, [chain]: { first: known?.first ?? first, last: number, hash } };
}

/** The anchors of stored segments, for a log that was not anchored before. */
export function anchorsOfSegments(segments: readonly AuditSegment[]): AnchoredChains {
  const chains: Record<string, AnchoredChain> = {};
  for (const [chain, own] of Map.groupBy(segments, ({ spec }) => spec.chain)) {
    const specs = own.map(({ spec }) => spec).sort((left, right) => left.sequence - right.sequence);
    const [first, last] = [specs[0], specs.at(-1)];
    if (first === undefined || last === undefined) continue;
    chains[chain] = { first: first.firstRecord, last: last.firstRecord + last.records - 1, hash: last.lastHash };
  }
  return chains;
}

/** Anchors before segments expire: they begin at the first segment that is left; chains without one are dropped. */
export function withoutSegments(
  chains: AnchoredChains,
  { gone, kept }: { readonly gone: readonly AuditSegment[]; readonly kept: readonly AuditSegment[] },
): AnchoredChains {
  const left = anchorsOfSegments(kept);
  const affected = new Set(gone.map(({ spec }) => spec.chain));
  return Object.fromEntries(
    Object.entries(chains).flatMap(([chain, anchor]) => {
      if (!affected.has(chain)) return [[chain, anchor]];
      const rest = left[chain];
      return rest === undefined ? [] : [[chain, { ...anchor, first: Math.max(anchor.first, rest.first) }]];
    }),
  );
}
