import { type IPAllocation, type NetworkPool, poolState } from "@butler/api";
import { ageOf, plainPaint } from "@butler/cli-kit";
import { keyText } from "@butler/resource";
import { poolMap } from "../../network/pool-map.ts";
import { claimView } from "../../network/pool-view.ts";
import { type Line, lineOf } from "../view/line.ts";
import { conditionSection, type Fact, factLines, section, tableLines } from "./sections.ts";
import { defineTab, type DetailsContext, type Section } from "./tab.ts";
import { stateText, toneOrder } from "./tones.ts";

const count = (value: number | undefined): string => (value === undefined ? "-" : String(value));

/** The share of unavailable addresses. */
function usedShare({ status }: NetworkPool): number {
  const { totalIPs = 0, availableIPs = totalIPs } = status ?? {};
  return totalIPs === 0 ? 0 : 1 - availableIPs / totalIPs;
}

const barWidth = 10;

/** The share as a bar and a number, readable without colors. */
function usedBar(pool: NetworkPool): string {
  if (pool.status?.totalIPs === undefined) return "-";
  const share = usedShare(pool);
  const full = Math.min(barWidth, Math.ceil(share * barWidth));
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${Math.floor(share * 100)}%`;
}

/** Every network pool. */
export const networks = defineTab<NetworkPool>({
  id: "networks",
  title: "Networks",
  sources: ["pools", "allocations"],
  items: (snapshot) => snapshot.pools,
  keyOf: ({ metadata }) => keyText(metadata),
  columns: [
    { title: "NAME", value: ({ metadata }) => metadata.name, widest: 32 },
    { title: "CIDR", value: ({ spec }) => spec.cidr },
    {
      title: "STATE",
      value: (pool) => stateText(poolState(pool)),
      look: (pool) => poolState(pool).tone,
      sortBy: (pool) => toneOrder.indexOf(poolState(pool).tone),
    },
    { title: "USED", value: usedBar, look: (pool) => poolState(pool).tone, sortBy: usedShare },
    {
      title: "FREE",
      value: ({ status }) => count(status?.availableIPs),
      align: "right",
      sortBy: ({ status }) => status?.availableIPs ?? 0,
    },
    {
      title: "TOTAL",
      value: ({ status }) => count(status?.totalIPs),
      align: "right",
      drop: 1,
      sortBy: ({ status }) => status?.totalIPs ?? 0,
    },
    { title: "LARGEST", value: ({ status }) => count(status?.largestFreeBlock), align: "right", drop: 2 },
    { title: "QUARANTINED", value: ({ status }) => count(status?.quarantinedIPs), align: "right", drop: 3 },
    { title: "CLAIMS", value: ({ status }) => count(status?.allocationCount), align: "right", drop: 3 },
    {
      title: "AGE",
      value: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
      sortBy: ({ metadata }) => -Date.parse(metadata.creationTimestamp ?? ""),
      align: "right",
      drop: 1,
    },
    { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "", drop: 4, isFilling: true },
  ],
  sort: { column: 0, isDescending: false },
  empty: { sentence: "No network pools.", hint: "Create one: butleradm network create NAME --cidr NETWORK" },
  details: poolDetails,
});

function poolDetails(pool: NetworkPool, context: DetailsContext): Section[] {
  const { width, snapshot, now } = context;
  const { metadata, spec, status } = pool;
  const state = poolState(pool);
  const claims = snapshot.allocations.filter(
    (claim) => claim.spec.poolRef.name === metadata.name && claim.metadata.namespace === metadata.namespace,
  );
  const facts: Fact[] = [
    ["Name", keyText(metadata)],
    ["Network", spec.cidr],
    ["State", stateText(state), state.tone],
    ["Used", usedBar(pool), state.tone],
    [
      "Addresses",
      `${count(status?.availableIPs)} free of ${count(status?.totalIPs)}, ${count(status?.quarantinedIPs)} quarantined`,
    ],
    ["Largest block", count(status?.largestFreeBlock)],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
  return [
    { title: "Network pool", lines: factLines(facts, width) },
    ...section("Map", mapLines(pool, claims, width)),
    ...section("Allocations", claimLines(claims, context)),
    ...conditionSection(status?.conditions, context),
  ];
}

const mapHeight = 8;

function mapLines(pool: NetworkPool, claims: readonly IPAllocation[], width: number): Line[] {
  return poolMap(pool, claims, { width, height: mapHeight, paint: plainPaint }).map((line) => lineOf(line));
}

function claimLines(claims: readonly IPAllocation[], { now, width }: DetailsContext): Line[] {
  if (claims.length === 0) return [];
  const { columns } = claimView(() => now);
  const sorted = claims.toSorted((left, right) =>
    (left.status?.startAddress ?? "~") < (right.status?.startAddress ?? "~") ? -1 : 1,
  );
  const rows = sorted.map((claim) => columns.map(({ value }) => value(claim)));
  return tableLines([columns.map(({ title }) => title), ...rows], width);
}
