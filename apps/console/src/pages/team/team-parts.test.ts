import { updateEnvironment, updateTeam } from "@butler/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleAdmin, exampleCluster, exampleTeam } from "../../testing/team-examples.ts";
import { defaultsDraft, defaultsFaults, defaultsWords, writtenDefaults } from "./cluster-defaults.ts";
import { environmentChange, environmentDraft, environmentFaults, newEnvironment } from "./environment-form.ts";
import { accessWords, isStepDown, type Member, removalRefusal, removalSentence, selectMembers } from "./members.ts";
import { limitFacts, settingsDraft, settingsFaults, teamChange } from "./settings-form.ts";
import { usageBars, usageByEnvironment, usageByOwner, usageSignature, usageWords } from "./usage.ts";

const direct: Member = exampleAdmin;
const grouped: Member = {
  email: "bob@example.com",
  name: "Bob",
  role: "viewer",
  source: "group",
  groupRole: "viewer",
  groupName: "devs",
  canRemove: false,
};
const elevated: Member = {
  ...grouped,
  name: "Eve",
  email: "eve@example.com",
  role: "admin",
  source: "elevated",
  directRole: "admin",
  canRemove: true,
};

describe("members", () => {
  it.each([
    [direct, "Direct"],
    [grouped, "Through group devs"],
    [elevated, "Direct; group devs grants Viewer"],
    [{ ...grouped, directRole: "viewer" as const }, "Through group devs; direct role is Viewer"],
  ])("shows the source of a role", (member, words) => expect(accessWords(member)).toBe(words));

  it("shows the remaining group role after removal", () => {
    expect(removalSentence(elevated, "x@example.com")).toContain("still grants the Viewer role");
    expect(removalSentence(direct, "x@example.com")).toContain("loses all access");
    expect(removalSentence(direct, " ADA@example.com")).toMatch(/^You lose/);
    expect(removalRefusal(grouped)).toContain("through group devs");
    expect(removalRefusal(elevated)).toBeUndefined();
  });

  it("detects users who revoke their own admin role", () => {
    expect(isStepDown(direct, "viewer", "Ada@Example.com")).toBe(true);
    expect(isStepDown(direct, "admin", "ada@example.com")).toBe(false);
    expect(isStepDown(direct, "viewer", "bob@example.com")).toBe(false);
  });

  it("selects members by all words and by role", () => {
    const all = [direct, grouped, elevated];
    expect(selectMembers(all, { q: "DEVS bob" })).toEqual([grouped]);
    expect(selectMembers(all, { role: "admin" })).toEqual([direct, elevated]);
    expect(selectMembers(all, {})).toEqual(all);
  });
});

describe("cluster defaults", () => {
  it("keep values without a field, and drop cleared ones", () => {
    const before = { workerCount: 3, workerCPU: 4, addonValues: { cilium: { hubble: true } } };
    const draft = { ...defaultsDraft(before), workerCPU: "", defaultAddons: "cilium,  flux" };
    expect(writtenDefaults(draft, before)).toEqual({
      workerCount: 3,
      defaultAddons: ["cilium", "flux"],
      addonValues: before.addonValues,
    });
  });

  it("round-trip through the form", () => {
    const whole = fc.nat({ max: 999_999_999 });
    const defaults = fc.record({ workerCount: whole, workerCPU: whole, workerMemoryGi: whole }, { requiredKeys: [] });
    fc.assert(
      fc.property(defaults, (some) => {
        expect(writtenDefaults(defaultsDraft(some), some)).toEqual(some);
      }),
    );
  });

  it.each([
    ["workerCount", "three"],
    ["workerCPU", "1.5"],
    ["workerMemoryGi", "-1"],
    ["kubernetesVersion", "1.34"],
  ])("reject %s = %s", (field, text) => {
    const faults = defaultsFaults({ ...defaultsDraft(undefined), [field]: text });
    expect(Object.keys(faults)).toEqual([`clusterDefaults.${field}`]);
  });

  it("are summarized", () => {
    expect(defaultsWords({ kubernetesVersion: "v1.34.1", workerCount: 1, workerCPU: 4 })).toBe(
      "v1.34.1, 1 worker, 4 CPU",
    );
    expect(defaultsWords(undefined)).toBe("");
  });
});

describe("the environment form", () => {
  const dev = { name: "dev", clusterCount: 1, description: "for trying", limits: { maxClusters: 3 } };

  it("sends only filled-in fields", () => {
    const draft = { ...environmentDraft(undefined), name: " dev ", maxClustersPerMember: "1" };
    expect(newEnvironment(draft)).toEqual({ name: "dev", limits: { maxClustersPerMember: 1 } });
  });

  it("sends no change without edits, also for legacy stored values", () => {
    const stored = {
      ...dev,
      limits: { maxClusters: 0 },
      access: { users: [{ name: "a@b", role: "member" as const }], groups: [{ name: "g", role: "viewer" as const }] },
      clusterDefaults: { workerCount: 2 },
    };
    expect(environmentChange(environmentDraft(stored), stored)).toEqual({});
  });

  it("sends only differences, and clears emptied parts", () => {
    const draft = { ...environmentDraft(dev), description: "", maxClusters: "" };
    const change = environmentChange(draft, dev);
    expect(change).toEqual({ description: "", limits: {} });
    expect(updateEnvironment.body?.safeParse(change).success).toBe(true);
  });

  it("sends roles of users and groups, without unnamed rows", () => {
    const row = {
      id: 0,
      kind: "user" as const,
      name: "ada@example.com",
      role: "operator" as const,
      identityProvider: "",
    };
    const access = [
      row,
      { ...row, id: 1, name: " " },
      { ...row, id: 2, kind: "group" as const, name: "devs", identityProvider: "okta" },
    ];
    expect(environmentChange({ ...environmentDraft(dev), access }, dev)).toEqual({
      access: {
        users: [{ name: "ada@example.com", role: "operator" }],
        groups: [{ name: "devs", role: "operator", identityProvider: "okta" }],
      },
    });
  });

  it.each([
    [{ name: "" }, "name"],
    [{ name: "prod" }, "name"],
    [{ name: "<b>" }, "name"],
    [{ name: "x", maxClusters: "many" }, "limits.maxClusters"],
    [{ name: "x", maxClustersPerMember: "-2" }, "limits.maxClustersPerMember"],
    [{ name: "x", description: "a".repeat(1001) }, "description"],
  ])("rejects %o", (part, field) => {
    const faults = environmentFaults({ ...environmentDraft(undefined), ...part }, [{ name: "prod" }]);
    expect(Object.keys(faults)).toContain(field);
  });

  it("accepts a valid form", () => {
    expect(environmentFaults({ ...environmentDraft(dev), name: "qa" }, [dev])).toEqual({});
  });
});

describe("team settings", () => {
  it("send only differences, with the opened resourceVersion", () => {
    const draft = settingsDraft(exampleTeam);
    expect(teamChange(draft, exampleTeam, exampleTeam)).toBeUndefined();
    const change = teamChange({ ...draft, displayName: " Pay " }, exampleTeam, exampleTeam);
    expect(change).toEqual({ displayName: "Pay", resourceVersion: "7" });
    expect(updateTeam.body?.safeParse(change).success).toBe(true);
  });

  it("use the newest resourceVersion if only the status changed, otherwise the opened one", () => {
    const draft = { ...settingsDraft(exampleTeam), displayName: "Pay" };
    const newer = { ...exampleTeam, resourceVersion: "8", clusterCount: 9 };
    expect(teamChange(draft, exampleTeam, newer)?.resourceVersion).toBe("8");
    expect(teamChange(draft, exampleTeam, { ...newer, description: "theirs" })?.resourceVersion).toBe("7");
  });

  it("reject texts that are too long", () => {
    const draft = { ...settingsDraft(exampleTeam), description: "a".repeat(1001) };
    expect(settingsFaults(draft)).toEqual({ description: "At most 1000 characters." });
  });

  it("list limits, including 0 and older field names", () => {
    expect(limitFacts(exampleTeam)).toEqual([]);
    const limits = { maxClusters: 0, maxTotalCPU: "64", allowedProviders: [], defaultNodeCount: 3 };
    expect(limitFacts({ ...exampleTeam, resourceLimits: limits })).toEqual([
      ["Clusters", "0"],
      ["CPU cores", "64"],
    ]);
  });
});

describe("team usage", () => {
  const usage = {
    clusters: 2,
    nodes: 4,
    cpu: "16",
    memory: "32 GiB",
    storage: "1Ti",
    percent: { clusters: 40, cpu: 50 },
    status: "OK" as const,
    message: "",
  };
  const clusters = [
    exampleCluster("a", { environment: "dev", owner: "Ada@example.com" }),
    exampleCluster("b", { environment: "dev", owner: "ada@example.com" }),
    exampleCluster("c", { environment: "gone", owner: "bob@example.com" }),
    exampleCluster("d"),
  ];

  it("is shown against the team's own limits, otherwise in percent", () => {
    const words = usageBars(usage, { maxClusters: 5, defaultNodeCount: 3 }).map((bar) => bar.words);
    expect(words).toEqual(["2 of 5, 40%", "4, no limit", "16, 50%", "32 GiB, no limit", "1 TiB, no limit"]);
  });

  it("shows by how much a limit is exceeded", () => {
    const [first] = usageBars(
      { ...usage, clusters: 6, percent: { clusters: 100 } },
      { maxClusters: 5, defaultNodeCount: 3 },
    );
    expect(first).toMatchObject({ percent: 120, words: "6 of 5, 120%" });
  });

  it("is grouped by environment, including empty, undefined and none", () => {
    const shares = usageByEnvironment(clusters, exampleTeam.environments);
    expect(
      shares.map(({ name, isDefined, usage: { clusters: count }, maxClusters }) => [
        name,
        isDefined,
        count,
        maxClusters,
      ]),
    ).toEqual([
      ["dev", true, 2, 3],
      ["prod", true, 0, undefined],
      ["", false, 1, undefined],
      ["gone", false, 1, undefined],
    ]);
    expect(shares[0] && usageWords(shares[0].usage)).toEqual({
      nodes: "4",
      cpu: "16",
      memory: "32 GiB",
      storage: "200 GiB",
    });
  });

  it("is grouped by owner, case-insensitively, with limits per member", () => {
    const shares = usageByOwner(clusters, exampleTeam.environments);
    expect(shares.map(({ name, usage: { clusters: count }, caps }) => [name, count, caps])).toEqual([
      ["ada@example.com", 2, [{ environment: "dev", clusters: 2, maxClusters: 1 }]],
      ["", 1, []],
      ["bob@example.com", 1, []],
    ]);
  });

  it("adds up to the total", () => {
    const environment = fc.constantFrom("dev", "prod", "gone", undefined);
    const some = fc.array(
      environment.map((name) => exampleCluster("x", name === undefined ? {} : { environment: name })),
    );
    fc.assert(
      fc.property(some, (found) => {
        const sum = usageByEnvironment(found, exampleTeam.environments).reduce(
          (all, share) => all + share.usage.clusters,
          0,
        );
        expect(sum).toBe(found.length);
      }),
      { numRuns: 40 },
    );
  });

  it("is refetched when a spec changes, not when a status does", () => {
    const [first] = clusters;
    if (first === undefined) throw new Error("no cluster");
    const stateOnly = { ...first, status: { phase: "Failed" } } as typeof first;
    const specToo = { ...first, metadata: { ...first.metadata, generation: 2 } };
    expect(usageSignature([stateOnly])).toBe(usageSignature([first]));
    expect(usageSignature([specToo])).not.toBe(usageSignature([first]));
  });
});
