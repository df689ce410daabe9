import { builtinKinds, type DynamicObject } from "@butler/resource";
import { anObject } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { podSelectorOf } from "./label-selector.ts";
import { tellingReason } from "./pod-reasons.ts";
import { warningText } from "./warnings.ts";

const workload = (selector: unknown): DynamicObject =>
  anObject(builtinKinds.Deployment, { body: { spec: { selector } } });

describe("the selector of a workload", () => {
  it.each<[unknown, string | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ matchLabels: { app: "web", tier: "" } }, "app=web,tier="],
    [
      {
        matchLabels: { a: "b" },
        matchExpressions: [
          { key: "c", operator: "In", values: ["d", "e"] },
          { key: "f", operator: "NotIn", values: ["g"] },
          { key: "h", operator: "Exists" },
          { key: "i", operator: "DoesNotExist" },
        ],
      },
      "a=b,c in (d,e),f notin (g),h,!i",
    ],
    // Ignoring an unknown operator would select too much.
    [{ matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "Gt", values: ["1"] }] }, undefined],
  ])("%j is %j", (selector, text) => expect(podSelectorOf(workload(selector))).toBe(text));
});

describe("the reason from pods", () => {
  const pod = (name: string, status: object, more: object = {}): DynamicObject =>
    anObject(builtinKinds.Pod, { name, ...more, body: { status } });
  const crashing = {
    phase: "Running",
    containerStatuses: [{ name: "c", state: { waiting: { reason: "CrashLoopBackOff" } } }],
  };
  const unscheduled = { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", message: "no node" }] };
  const well = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };

  it.each<[string, readonly DynamicObject[], string | undefined]>([
    ["no pods", [], undefined],
    ["pods that are ready or starting", [pod("a", well), pod("b", { phase: "Pending" })], undefined],
    [
      "one that crashes",
      [pod("a", well), pod("b", crashing)],
      "pod b: container c is crash-looping (CrashLoopBackOff)",
    ],
    ["one without a node", [pod("a", unscheduled)], "pod a cannot be scheduled: no node"],
    ["one that is going", [pod("a", crashing, { deletionTimestamp: "2026-01-01T00:00:00Z" })], undefined],
    [
      "two, the newer one first",
      [
        pod("old", crashing, { creationTimestamp: "2026-01-01T00:00:00Z" }),
        pod("new", unscheduled, { creationTimestamp: "2026-01-02T00:00:00Z" }),
      ],
      "pod new cannot be scheduled: no node",
    ],
  ])("of %s", (_what, pods, reason) => {
    expect(tellingReason(pods)).toBe(reason);
    expect(tellingReason([...pods].reverse())).toBe(reason);
  });
});

describe("a warning", () => {
  const event = (reason: string, message: string, when: object): DynamicObject =>
    anObject(builtinKinds.Event, { body: { reason, message, ...when } });
  const mount = event("FailedMount", "secret not found.", { lastTimestamp: "2026-01-01T10:00:00Z" });
  const probe = event("Unhealthy", "Readiness probe failed: hunter2", { eventTime: "2026-01-01T11:00:00.000000Z" });

  it.each<[string, readonly DynamicObject[], string | undefined]>([
    ["no events", [], undefined],
    ["a volume", [mount], "warning FailedMount: secret not found"],
    ["a probe, without what the program answered", [probe], "warning Unhealthy: Readiness probe failed"],
    ["the newest of two", [mount, probe], "warning Unhealthy: Readiness probe failed"],
  ])("of %s", (_what, events, text) => {
    expect(warningText(events)).toBe(text);
    expect(warningText([...events].reverse())).toBe(text);
  });
});
