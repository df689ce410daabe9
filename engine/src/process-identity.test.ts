import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { identifyProcess, isCertainlyAlive, isProcessAlive } from "./process-identity.ts";

describe("isProcessAlive", () => {
  it("detects that this process is running", () => {
    expect(isProcessAlive(identifyProcess())).toBe(true);
  });

  it("detects a PID that was reused by a later process", () => {
    const imposter = { ...identifyProcess(), startTime: "1" };
    expect(isProcessAlive(imposter)).toBe(false);
    expect(isCertainlyAlive(imposter)).toBe(false);
  });

  it("detects that a process has exited", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    const identity = identifyProcess(child.pid);
    await once(child, "exit");
    expect(isProcessAlive(identity)).toBe(false);
  });

  it("does not judge processes of other hosts", () => {
    expect(isProcessAlive({ ...identifyProcess(), host: "elsewhere.example" })).toBeUndefined();
  });
});
