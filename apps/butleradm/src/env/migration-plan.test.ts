import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerLine, finishedLine, type Move, moveLine, parseJournal, refusedLine } from "./journal.ts";
import { decideCluster, environmentOf, type MigrationRules, type Planned, planMigration } from "./migration-plan.ts";
import { environmentRows } from "./list.ts";
import type { Rule } from "./rules.ts";
import { aCluster, aTeam, type ClusterTraits, moved } from "./testing/objects.ts";
import { planUndo } from "./undo-plan.ts";

const teams = [aTeam("payments", ["dev", "prod"]), aTeam("search", ["dev"]), aTeam("bare", [])];
const rules: readonly Rule[] = [
  { environment: "prod", name: "prod-*" },
  { environment: "dev", name: "dev-*" },
  { environment: "dev", labels: { tier: "dev" } },
];
const settings: MigrationRules = { rules, teams, relabel: false };

describe("decideCluster", () => {
  it.each<[string, ClusterTraits, object]>([
    ["without an environment", { name: "prod-a" }, { state: "move", to: "prod" }],
    ["in the right environment", { name: "prod-a", environment: "prod" }, { state: "there" }],
    ["elsewhere", { name: "prod-a", environment: "dev" }, { state: "kept", to: "prod" }],
    ["that no rule matches", { name: "other" }, { state: "unmatched" }],
    ["that two rules agree on", { name: "dev-a", labels: { tier: "dev" } }, { state: "move", to: "dev" }],
    [
      "that two rules differ on",
      { name: "prod-a", labels: { tier: "dev" } },
      { state: "conflict", wanted: ["dev", "prod"] },
    ],
    [
      "whose team does not define the environment",
      { name: "prod-a", team: "search" },
      { state: "unknown", to: "prod", team: "search" },
    ],
    [
      "whose team defines no environments",
      { name: "dev-a", team: "bare" },
      { state: "unknown", to: "dev", team: "bare" },
    ],
    ["without a team", { name: "dev-a", team: "nobody" }, { state: "unknown", to: "dev", team: undefined }],
    ["that is being deleted", { name: "prod-a", isLeaving: true }, { state: "leaving" }],
  ])("a cluster %s", (_what, traits, decision) => {
    expect(decideCluster(aCluster(traits), settings)).toEqual(decision);
  });

  it("moves clusters from other environments only with relabel", () => {
    const cluster = aCluster({ name: "prod-a", environment: "dev" });
    expect(decideCluster(cluster, { ...settings, relabel: true })).toEqual({ state: "move", to: "prod" });
  });
});

const environment = fc.constantFrom("dev", "prod", "qa");
const word = fc.constantFrom("a", "b", "ab", "ba");
const pattern = fc.constantFrom("a*", "*b", "?", "*", "ab");
const anyRule: fc.Arbitrary<Rule> = fc.record(
  {
    environment,
    name: pattern,
    team: fc.constantFrom("pay*", "search", "*"),
    labels: fc.dictionary(fc.constant("tier"), pattern),
  },
  { requiredKeys: ["environment", "name"] },
);
const anyCluster = fc
  .record({
    name: word,
    team: fc.constantFrom("payments", "search", "bare", "nobody"),
    environment: fc.option(environment, { nil: undefined }),
    labels: fc.dictionary(fc.constant("tier"), word),
    isLeaving: fc.boolean(),
  })
  .map(aCluster);
const platform = fc.record({
  clusters: fc.uniqueArray(anyCluster, { selector: ({ metadata }) => metadata.uid, maxLength: 8 }),
  rules: fc.array(anyRule, { maxLength: 4 }),
  relabel: fc.boolean(),
});

const apply = (planned: readonly Planned[]) =>
  planned.map(({ cluster, decision }) => (decision.state === "move" ? moved(cluster, decision.to) : cluster));
const movesOf = (planned: readonly Planned[]) => planned.filter(({ decision }) => decision.state === "move");
const journalOf = (planned: readonly Planned[]): Move[] =>
  planned.flatMap(({ cluster, decision }) => {
    const { namespace = "", name, uid = "" } = cluster.metadata;
    const from = environmentOf(cluster) ?? null;
    return decision.state === "move"
      ? [{ cluster: `${namespace}/${name}`, uid, from, to: decision.to, marked: false }]
      : [];
  });

describe("a migration", () => {
  it("is idempotent", () => {
    fc.assert(
      fc.property(platform, ({ clusters, ...rest }) => {
        const after = apply(planMigration(clusters, { ...rest, teams }));
        expect(movesOf(planMigration(after, { ...rest, teams }))).toEqual([]);
      }),
    );
  });

  it("resumes wherever it was interrupted", () => {
    fc.assert(
      fc.property(platform, fc.nat(8), ({ clusters, ...rest }, done) => {
        const plan = planMigration(clusters, { ...rest, teams });
        const half = plan.map((planned, at) =>
          at < done ? (apply([planned])[0] ?? planned.cluster) : planned.cluster,
        );
        const resumed = movesOf(planMigration(half, { ...rest, teams }));
        expect(resumed).toEqual(movesOf(plan.slice(done)));
      }),
    );
  });

  it("moves no cluster to an environment that its team does not define, and none that is in place or being deleted", () => {
    fc.assert(
      fc.property(platform, ({ clusters, ...rest }) => {
        for (const { cluster, decision } of planMigration(clusters, { ...rest, teams })) {
          if (decision.state !== "move") continue;
          const team = teams.find(({ metadata }) => metadata.name === cluster.metadata.namespace);
          expect(team?.spec.environments?.map(({ name }) => name)).toContain(decision.to);
          expect(environmentOf(cluster)).not.toBe(decision.to);
          expect(cluster.metadata.deletionTimestamp).toBeUndefined();
          if (!rest.relabel) expect(environmentOf(cluster)).toBeUndefined();
        }
      }),
    );
  });

  it("does not depend on the order of rules or of clusters", () => {
    fc.assert(
      fc.property(platform, ({ clusters, rules: given, relabel }) => {
        const plan = planMigration(clusters, { rules: given, relabel, teams });
        const other = planMigration(clusters.toReversed(), { rules: given.toReversed(), relabel, teams });
        expect(other).toEqual(plan);
      }),
    );
  });

  it("can be undone from every intermediate state", () => {
    fc.assert(
      fc.property(platform, fc.nat(8), ({ clusters, ...rest }, done) => {
        const plan = planMigration(clusters, { ...rest, teams });
        // The last move may have been recorded but not made.
        const journal = journalOf(plan.slice(0, done + 1));
        const now = plan.map((planned, at) => (at < done ? (apply([planned])[0] ?? planned.cluster) : planned.cluster));
        const undo = new Map(planUndo(journal, now).map(({ uid, decision }) => [uid, decision]));
        const back = now.map((cluster) => {
          const decision = undo.get(cluster.metadata.uid ?? "");
          return decision?.state === "back" ? moved(cluster, decision.to) : cluster;
        });
        expect(back).toEqual(plan.map(({ cluster }) => cluster));
        expect(planUndo(journal, back).every(({ decision }) => decision.state === "there")).toBe(true);
      }),
    );
  });
});

describe("planUndo", () => {
  const move = (from: string | null, to: string): Move => ({
    cluster: "payments/a",
    uid: "uid-payments-a",
    from,
    to,
    marked: false,
  });
  it.each([
    [
      "back",
      [move(null, "prod")],
      aCluster({ name: "a", environment: "prod" }),
      { state: "back", from: "prod", to: undefined },
    ],
    [
      "to the first place of two moves",
      [move("qa", "dev"), move("dev", "prod")],
      aCluster({ name: "a", environment: "prod" }),
      { state: "back", from: "prod", to: "qa" },
    ],
    [
      "not a cluster that was moved since",
      [move(null, "prod")],
      aCluster({ name: "a", environment: "qa" }),
      { state: "changed", is: "qa" },
    ],
    [
      "not a cluster that was removed from its environment since",
      [move("dev", "prod")],
      aCluster({ name: "a" }),
      { state: "changed", is: undefined },
    ],
    ["not a cluster that is already back", [move(null, "prod")], aCluster({ name: "a" }), { state: "there" }],
    [
      "not another cluster of the same name",
      [move(null, "prod")],
      aCluster({ name: "a", environment: "prod", uid: "other" }),
      { state: "gone" },
    ],
  ])("undoes %s", (_what, moves, cluster, decision) => {
    expect(planUndo(moves, [cluster])).toMatchObject([{ cluster: "payments/a", decision }]);
  });
});

describe("an undo file", () => {
  const move: Move = { cluster: "payments/a", uid: "u", from: null, to: "prod", marked: false };
  const header = headerLine("platform", new Date(0));

  it("contains the moves without the rejected ones", () => {
    const text = header + moveLine(move) + moveLine({ ...move, uid: "v" }) + refusedLine("v") + finishedLine;
    expect(parseJournal("f", text)).toMatchObject({ moves: [move], isFinished: true, length: text.length });
  });

  it("can be read wherever it is truncated", () => {
    const text = header + moveLine(move) + moveLine({ ...move, uid: "ä" });
    for (let length = header.length; length <= text.length; length++) {
      const journal = parseJournal("f", text.slice(0, length));
      expect(text.slice(0, journal.length).endsWith("\n")).toBe(true);
      expect(journal.moves.length).toBe(text.slice(0, length).split("\n").length - 2);
    }
  });

  it.each([
    ["another file", "hello\n", "not an undo file"],
    ["a newer format version", header.replace('"version":1', '"version":2'), "unsupported format version 2"],
    ["a strange line", `${header}{"x":1}\n`, "line 2 is invalid"],
    ["a move without a cluster", `${header}{"move":{"uid":"u","from":null,"to":"x","marked":false}}\n`, "line 2"],
  ])("is not %s", (_what, text, message) => expect(() => parseJournal("f", text)).toThrow(message));
});

it("lists environments, and clusters without one", () => {
  const clusters = [
    aCluster({ name: "a", environment: "dev" }),
    aCluster({ name: "b" }),
    aCluster({ name: "c", environment: "old" }),
  ];
  const rows = environmentRows(aTeam("payments", ["dev", "prod"]), clusters);
  expect(rows.map(({ environment: name, clusters: count, isDefined }) => [name, count, isDefined])).toEqual([
    ["dev", 1, true],
    ["prod", 0, true],
    ["old", 1, false],
    [null, 1, false],
  ]);
});
