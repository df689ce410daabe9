import type { TenantCluster } from "@butler/api";
import type { Machine, Pod } from "@butler/api-external";
import { anObject } from "@butler/testkit";
import type { NodeView } from "@butler/diagnosis";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCluster } from "../testing/blue-cluster.ts";
import { leftText } from "./certs.ts";
import { harmless, linePrefix, linesOf, logPath, logSources } from "./control-plane-logs.ts";
import { moveText } from "./env/move.ts";
import { eventRows, isOfCluster } from "./events.ts";
import { nodeRows } from "./node-rows.ts";
import { exitCodeOfChild, shellWords } from "./shell.ts";
import { goalText, judgeGoal, parseGoal } from "./wait-goal.ts";

describe("cluster wait --for", () => {
  it.each([
    ["ready", { until: "ready" }, "blue to be ready"],
    ["Delete", { until: "delete" }, "blue to be deleted"],
    ["phase=ready", { until: "phase", phase: "Ready" }, "blue to be Ready"],
    [
      "condition=WorkersReady",
      { until: "condition", type: "WorkersReady", status: "True" },
      "condition WorkersReady of blue to be True",
    ],
    [
      "condition=Paused=false",
      { until: "condition", type: "Paused", status: "False" },
      "condition Paused of blue to be False",
    ],
  ] as const)("%s", (text, goal, sentence) => {
    expect(parseGoal(text)).toEqual(goal);
    expect(goalText("blue", parseGoal(text))).toBe(sentence);
  });

  it.each(["", "phase", "phase=", "phase=Blue", "condition=", "condition=a=b=c", "condition", "soon", "ready=1"])(
    "rejects %s and lists the valid goals",
    (text) => expect(() => parseGoal(text)).toThrow("invalid --for value"),
  );

  const seen = (status: object, metadata: object = {}): TenantCluster => ({ ...aCluster({}, metadata), status });
  const conditions = [
    { type: "WorkersReady", status: "False" as const, reason: "x", message: "1 of 2", lastTransitionTime: "" },
  ];
  it.each([
    ["delete", undefined, { state: "done" }],
    ["delete", seen({}, { uid: "another" }), { state: "done" }],
    ["delete", seen({}), { state: "waiting", for: "deletion has not been requested" }],
    ["delete", seen({}, { deletionTimestamp: "2026-01-01T00:00:00Z" }), { state: "waiting" }],
    ["phase=Ready", seen({ phase: "Ready" }), { state: "done" }],
    ["phase=Ready", seen({ phase: "Updating" }), { state: "waiting", for: "current phase is Updating" }],
    ["phase=Ready", undefined, { state: "failed" }],
    ["condition=WorkersReady", seen({ conditions, observedGeneration: 1 }), { state: "waiting", for: "1 of 2" }],
    ["condition=WorkersReady=false", seen({ conditions, observedGeneration: 1 }), { state: "done" }],
    ["condition=WorkersReady=false", seen({ conditions, observedGeneration: 0 }), { state: "waiting" }],
    ["condition=Other", seen({ conditions, observedGeneration: 1 }), { state: "waiting" }],
  ])("%s judges %#", (text, observed, verdict) => {
    expect(judgeGoal(observed, aCluster(), parseGoal(text))).toMatchObject(verdict);
  });
});

describe("cluster logs", () => {
  const aPod = (name: string, ...containers: string[]): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { containers: containers.map((container) => ({ name: container, image: "i" })) },
  });
  const pods = [aPod("b", "kube-apiserver", "kube-scheduler"), aPod("a", "kube-apiserver")];

  it("accepts a component with or without the kube- prefix", () => {
    expect(logSources(pods, undefined)).toHaveLength(3);
    const both = [
      { pod: "a", container: "kube-apiserver" },
      { pod: "b", container: "kube-apiserver" },
    ];
    expect(logSources(pods, "apiserver")).toEqual(both);
    expect(logSources(pods, "kube-apiserver")).toEqual(both);
    expect(() => logSources(pods, "etcd")).toThrow('no component "etcd"');
    expect(logSources([], "etcd")).toEqual([]);
  });

  it("prefixes lines only when there are several sources", () => {
    const source = { pod: "a", container: "x" };
    expect(linePrefix(source, [source])).toBe("");
    expect(linePrefix(source, [source, { pod: "a", container: "y" }])).toBe("[x] ");
    expect(linePrefix(source, [source, { pod: "b", container: "x" }])).toBe("[a] ");
    expect(linePrefix(source, [source, { pod: "b", container: "y" }])).toBe("[a/x] ");
  });

  it("requests exactly the wanted part of a log", () => {
    const source = { pod: "a", container: "x" };
    expect(logPath("ns", source, { tail: -1 })).toBe("/api/v1/namespaces/ns/pods/a/log?container=x");
    expect(logPath("ns", source, { tail: 5, follow: true, timestamps: true, sinceMs: 1500 })).toBe(
      "/api/v1/namespaces/ns/pods/a/log?container=x&follow=true&timestamps=true&tailLines=5&sinceSeconds=2",
    );
  });

  it("returns the same lines however the text is split", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " "))),
        fc.integer({ min: 1, max: 7 }),
        async (lines, size) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
          async function* pieces() {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
          }
          const read: string[] = [];
          for await (const line of linesOf(pieces())) read.push(line);
          expect(read).toEqual(lines.map((line) => Buffer.from(line).toString()));
        },
      ),
      { numRuns: 50 },
    );
    expect(harmless("\u001B[2Ja\tb\u202E  c")).toBe("[2Ja\tb  c");
  });
});

describe("cluster nodes", () => {
  const aMachine = (name: string, status: Machine["status"], metadata: object = {}): Machine => ({
    ...anObject(
      { group: "cluster.x-k8s.io", version: "v1beta2", kind: "Machine", plural: "machines", scope: "Namespaced" },
      { name, ...metadata },
    ),
    spec: {
      clusterName: "blue",
      bootstrap: {},
      infrastructureRef: { apiGroup: "i", kind: "k", name },
      version: "v1.36.3",
    },
    status,
  });
  const aNode = (name: string): NodeView => ({
    name,
    status: "Ready",
    roles: [],
    version: "v1.36.2",
    internalIP: "10.0.0.1",
    os: "Rocky",
    containerRuntime: "containerd",
    cpu: "4",
    memory: "8Gi",
    age: "2026-01-01T00:00:00Z",
  });
  const labels = { "cluster.x-k8s.io/deployment-name": "blue-workers" };

  it("joins machines and nodes, including unmatched ones", () => {
    const rows = nodeRows(
      "blue",
      [
        aMachine("m1", { nodeRef: { name: "n1" }, phase: "Running" }, { labels }),
        aMachine("m2", { phase: "Provisioning" }),
        aMachine("m3", { nodeRef: { name: "n3" } }, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
      ],
      [aNode("n1"), aNode("stray")],
    );
    expect(rows.map(({ name, status, pool, machine, version }) => [name, status, pool, machine, version])).toEqual([
      ["m2", "Joining", "", "m2", "v1.36.3"],
      ["n1", "Ready", "workers", "m1", "v1.36.2"],
      ["n3", "Leaving", "", "m3", "v1.36.3"],
      ["stray", "Ready", "", "", "v1.36.2"],
    ]);
  });

  it("falls back to machine data when nodes cannot be listed", () => {
    const ready = (status: "True" | "False") => [
      { type: "NodeReady", status, reason: "r", message: "", lastTransitionTime: "" },
    ];
    const rows = nodeRows(
      "blue",
      [
        aMachine("m1", { nodeRef: { name: "n1" }, conditions: ready("True") }),
        aMachine("m2", { nodeRef: { name: "n2" }, conditions: ready("False") }),
        aMachine("m3", { nodeRef: { name: "n3" } }),
      ],
      undefined,
    );
    expect(rows.map(({ status }) => status)).toEqual(["Ready", "NotReady", "Unknown"]);
  });
});

describe("other decisions", () => {
  it("selects the events of the cluster", () => {
    const event = (namespace: string, kind: string, name: string, lastTimestamp: string) => ({
      ...anObject(
        { group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" },
        { name: `${kind}-${name}`, namespace },
      ),
      involvedObject: { kind, name },
      lastTimestamp,
    });
    const whose = { cluster: aCluster(), addons: ["blue-traefik"], outside: "payments" };
    const events = [
      event("payments", "TenantCluster", "blue", "2026-01-01T00:00:02Z"),
      event("payments", "TenantCluster", "green", "2026-01-01T00:00:02Z"),
      event("payments", "TenantAddon", "blue-traefik", "2026-01-01T00:00:01Z"),
      event("payments", "TenantAddon", "green-traefik", "2026-01-01T00:00:01Z"),
      event("blue-inside", "Pod", "x", "2026-01-01T00:00:03Z"),
    ].filter((each) => isOfCluster(each, whose));
    expect(eventRows(events).map(({ object }) => object)).toEqual([
      "TenantAddon blue-traefik",
      "TenantCluster blue",
      "Pod x",
    ]);
  });

  it("parses the shell command, with the name as argument or option", () => {
    expect(shellWords(["blue", "kubectl", "get"], {})).toEqual({ name: "blue", words: ["kubectl", "get"] });
    expect(shellWords(["kubectl", "get"], { name: "blue" })).toEqual({ name: "blue", words: ["kubectl", "get"] });
    expect(() => shellWords([], {})).toThrow("the cluster name is required");
    expect([exitCodeOfChild(3, null), exitCodeOfChild(null, "SIGTERM"), exitCodeOfChild(null, "SIGINT")]).toEqual([
      3, 143, 130,
    ]);
  });

  it("prints the remaining lifetime of a certificate", () => {
    const now = new Date("2026-01-01T00:00:00Z");
    expect(leftText("2026-02-01T00:00:00Z", now)).toBe("4w");
    expect(leftText("2025-12-30T00:00:00Z", now)).toBe("expired 2d ago");
  });

  it("prints a move", () => {
    expect(moveText("a/b", { from: "", to: "prod", isDryRun: false })).toBe("Moved a/b from no environment to prod.");
  });
});
