import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { identifyProcess, isCertainlyAlive, isProcessAlive } from "./process-identity.ts";

describe("isProcessAlive", () => {
  it("knows that this process lives", () => {
    expect(isProcessAlive(identifyProcess())).toBe(true);
  });

  it("is not deceived by a number that a later process has", () => {
    const imposter = { ...identifyProcess(), startTime: "1" };
    expect(isProcessAlive(imposter)).toBe(false);
    expect(isCertainlyAlive(imposter)).toBe(false);
  });

  it("knows that a process has ended", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    const identity = identifyProcess(child.pid);
    await once(child, "exit");
    expect(isProcessAlive(identity)).toBe(false);
  });

  it("does not judge processes of other hosts", () => {
    expect(isProcessAlive({ ...identifyProcess(), host: "elsewhere.example" })).toBeUndefined();
  });
});
