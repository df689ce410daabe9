import { describe, expect, it } from "vitest";
import { failureHint } from "./failure-hint.ts";

describe("failureHint", () => {
  it.each([
    ["listen tcp 127.0.0.1:6443: bind: address already in use", "apiServerPort"],
    ["write /tmp/x: no space left on device", "TMPDIR"],
    ["Error: unknown flag: --colour", "extraArgs"],
    ["something never seen", "/logs/etcd.log"],
  ])("for %o includes %s", (log, expected) => {
    expect(failureHint(log, "/logs/etcd.log")).toContain(expected);
  });
});
