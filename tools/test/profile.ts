import { engineLanes } from "./lanes.ts";

/** The cost of one test file. */
export interface FileCost {
  /** The project that it runs in, see vitest.config.ts. */
  readonly project: string;
  readonly file: string;
  /** From the start of its imports to the end of its hooks. */
  readonly seconds: number;
  readonly tests: number;
}

export type TestKind = "light" | "API server" | "engine";

/** The time budget of a file by kind; a measured guideline, not a failure, because machines differ. */
export const budgetSeconds: Readonly<Record<TestKind, number>> = { light: 10, "API server": 45, engine: 180 };

/** The time profile of a whole run. */
export interface Profile {
  readonly wallSeconds: number;
  readonly kinds: Readonly<Record<TestKind, KindCost>>;
  readonly slowest: readonly FileCost[];
  /** Files over the budget of their kind. */
  readonly overBudget: readonly FileCost[];
  /** How often something expensive was started, by kind. */
  readonly started: Readonly<Record<string, number>>;
  /** Of the whole machine, from the start to the end of the run. */
  readonly processors: { readonly busySeconds: number; readonly idleSeconds: number };
}

export interface KindCost {
  readonly files: number;
  readonly tests: number;
  /** Summed over files; files run in parallel. */
  readonly seconds: number;
  /** Of the observed processes; those that live for less than a second are not observed. */
  readonly processorSeconds: number;
}

const lanes = new Set(engineLanes.map(({ name }) => name));

/** The kind of a project's tests. */
export function kindOf(project: string): TestKind {
  if (project === "cluster") return "API server";
  return lanes.has(project) ? "engine" : "light";
}

export interface ProfileInput {
  readonly files: readonly FileCost[];
  readonly wallSeconds: number;
  readonly started: readonly { readonly what: string }[];
  readonly processorSeconds: Readonly<Partial<Record<TestKind, number>>>;
  readonly processors: Profile["processors"];
}

export function buildProfile({ files, started, wallSeconds, processorSeconds, processors }: ProfileInput): Profile {
  const costOf = (kind: TestKind): KindCost => {
    const own = files.filter(({ project }) => kindOf(project) === kind);
    const sum = (of: (file: FileCost) => number): number => own.reduce((total, file) => total + of(file), 0);
    return {
      files: own.length,
      tests: sum(({ tests }) => tests),
      seconds: sum(({ seconds }) => seconds),
      processorSeconds: processorSeconds[kind] ?? 0,
    };
  };
  const counts: Record<string, number> = {};
  for (const { what } of started) counts[what] = (counts[what] ?? 0) + 1;
  const bySlowness = files.toSorted((one, other) => other.seconds - one.seconds);
  return {
    wallSeconds,
    kinds: { light: costOf("light"), "API server": costOf("API server"), engine: costOf("engine") },
    slowest: bySlowness.slice(0, 30),
    overBudget: bySlowness.filter(({ project, seconds }) => seconds > budgetSeconds[kindOf(project)]),
    started: counts,
    processors,
  };
}

/** The profile as text. */
export function printProfile({ kinds, slowest, started, overBudget, wallSeconds, processors }: Profile): string[] {
  const number = (value: number): string => value.toFixed(0).padStart(6);
  const kindRows = Object.entries(kinds).map(
    ([kind, { files, tests, seconds, processorSeconds }]) =>
      `  ${kind.padEnd(12)}${number(files)} files ${number(tests)} tests ${number(seconds)} s ${number(processorSeconds)} CPU s`,
  );
  return [
    "",
    `Time profile: ${(wallSeconds / 60).toFixed(1)} minutes; CPUs busy for ${processors.busySeconds.toFixed(0)} s, idle for ${processors.idleSeconds.toFixed(0)} s`,
    ...kindRows,
    ...Object.entries(started).map(([what, count]) => `  started: ${String(count).padStart(4)} × ${what}`),
    "Slowest files:",
    ...slowest.map(
      ({ seconds, tests, file }) => `  ${seconds.toFixed(1).padStart(7)} s ${String(tests).padStart(4)} tests  ${file}`,
    ),
    ...(overBudget.length === 0 ? [] : ["Over budget (CONTRIBUTING.md, “Test levels and budgets”):"]),
    ...overBudget.map(
      ({ seconds, file, project }) => `  ${seconds.toFixed(1)} s of ${budgetSeconds[kindOf(project)]}: ${file}`,
    ),
  ];
}
