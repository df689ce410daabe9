import { describe, expect, it } from "vitest";
import { planRestarts, renewalIntervalMs } from "./certificate-renewal.ts";

const now = new Date("2026-06-01T12:00:00Z");
const endingIn = (name: string, minutes: number) => ({ name, formerEnd: new Date(now.getTime() + minutes * 60_000) });

describe("planRestarts", () => {
  it.each([
    ["nothing was replaced", [], []],
    ["there is time for clients to notice", [endingIn("kubelet", 30), endingIn("kube-scheduler", 7)], []],
    ["a client would present one that has ended", [endingIn("kubelet", 3), endingIn("kube-proxy", 30)], ["kubelet"]],
    ["it is the one of Butler's own program", [endingIn("admin", 99_999)], ["butler-local-node"]],
    ["one has ended long ago", [endingIn("apiserver-kubelet-client", -9_999)], ["kube-apiserver"]],
    [
      "only servers present it",
      [endingIn("kube-apiserver", 1), endingIn("etcd", 1), endingIn("kubelet-serving", 1)],
      [],
    ],
  ])("when %s", (_what, replaced, expected) => {
    expect(planRestarts(replaced, now)).toEqual(expected);
  });
});

describe("renewalIntervalMs", () => {
  it.each([
    [undefined, 600_000],
    [365 * 86_400_000, 600_000],
    [3_600_000, 100_000],
    [20_000, 1_000],
  ])("for a lifetime of %s ms", (lifetimeMs, expected) => {
    expect(renewalIntervalMs(lifetimeMs)).toBe(expected);
  });
});
