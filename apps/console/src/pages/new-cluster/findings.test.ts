import { describe, expect, it } from "vitest";
import { emptyDraft, type Draft } from "./draft.ts";
import { answerFindings, faultOf, ownFindings, planFindings, stepOf, stillApplying } from "./findings.ts";

const named: Draft = { ...emptyDraft(), name: "shop" };
const none: ReadonlySet<string> = new Set();

describe("stepOf", () => {
  it.each([
    ["name", "place"],
    ["providerConfigRef.name", "place"],
    ["workers.machineTemplate.os.type", "version"],
    ["workers.machineTemplate.cpu", "pools"],
    ["workerPools[1].name", "pools"],
    ["networking.podCIDR", "network"],
    ["addons.ingress", "addons"],
    ["", "review"],
    ["workersOfAnother", "review"],
  ] as const)("%s is in %s", (field, step) => expect(stepOf(field)).toBe(step));
});

describe("ownFindings", () => {
  it.each([
    ["a name", named, undefined],
    ["no name", emptyDraft(), "name"],
    ["a digit first", { ...named, name: "1a" }, "name"],
    ["a dot", { ...named, name: "a.b" }, "name"],
    ["markup", { ...named, name: "<img src=x>" }, "name"],
    ["55 letters", { ...named, name: "a".repeat(55) }, "name"],
    ["a name that is taken", { ...named, name: "blue" }, "name"],
    ["no machines", { ...named, spec: { workers: { replicas: 0 } } }, "workers.replicas"],
    [
      "half an amount",
      { ...named, spec: { workers: { machineTemplate: { memory: "lots" } } } },
      "workers.machineTemplate.memory",
    ],
    [
      "words for cores",
      { ...named, spec: { workers: { machineTemplate: { cpu: "two" } } } },
      "workers.machineTemplate.cpu",
    ],
    [
      "the main pool's name",
      { ...named, spec: { workerPools: [{ name: "workers", replicas: 1 }] } },
      "workerPools[0].name",
    ],
    ["workers as a number", { ...named, spec: { workers: 5 } }, "workers"],
  ] as const)("for %s: %s", (_name, draft, field) => {
    expect(ownFindings(draft, new Set(["blue"])).map((finding) => finding.field)).toEqual(
      field === undefined ? [] : expect.arrayContaining([field]),
    );
  });

  it("rejects two pools of the same name", () => {
    const workerPools = [
      { name: "gpu", replicas: 1 },
      { name: "gpu", replicas: 1 },
    ];
    expect(faultOf(ownFindings({ ...named, spec: { workerPools } }, none), "workerPools[1].name")).toMatch(/Two pools/);
  });
});

describe("planFindings", () => {
  const limit = { rule: "team.maxTotalNodes", limit: "5", used: "4", asked: "3", message: "7 of 5 nodes" };
  it("assigns each refusal to its field, and reports a limit once", () => {
    const refusals = [
      { field: "spec.networking.podCIDR", reason: "X", message: "overlaps" },
      { field: "metadata.labels[butler.butlerlabs.dev/environment]", reason: "X", message: "unknown" },
      { field: "spec.workers.replicas", reason: "QUOTA", message: "quota: 7 of 5 nodes" },
    ];
    expect(planFindings({ isAccepted: false, refusals, exceeded: [limit] })).toEqual([
      { field: "networking.podCIDR", message: "overlaps", step: "network" },
      { field: "environment", message: "unknown", step: "place" },
      { field: "workers.replicas", message: "quota: 7 of 5 nodes", step: "pools" },
    ]);
  });

  it("ignores exceeded limits that the server tolerates", () => {
    expect(planFindings({ isAccepted: true, refusals: [], exceeded: [limit] })).toEqual([]);
  });

  it("assigns a limit without a refusal to the pools step", () => {
    expect(planFindings({ isAccepted: false, refusals: [], exceeded: [limit] })[0]).toMatchObject({ step: "pools" });
  });
});

it("keeps server findings until their field changes", () => {
  const findings = answerFindings({ "spec.workers.replicas": "too many", name: "taken" });
  const asked = { ...named, spec: { workers: { replicas: 9 } } };
  expect(stillApplying(findings, asked, { ...asked, environment: "dev" })).toHaveLength(2);
  expect(stillApplying(findings, asked, { ...asked, name: "other" }).map(({ field }) => field)).toEqual([
    "workers.replicas",
  ]);
  expect(stillApplying(findings, asked, { ...asked, spec: {} }).map(({ field }) => field)).toEqual(["name"]);
});
