import type { EngineState } from "@butler/engine";
import { describe, expect, it } from "vitest";
import { renderState } from "./render-state.ts";

const state: EngineState = {
  name: "local",
  directory: "/var/lib/butler/local",
  kubeconfig: "/var/lib/butler/local/kubeconfig",
  kubernetes: "https://10.200.254.2:6443",
  supervisorPid: 7,
  services: [],
  troubles: [],
};

describe("renderState", () => {
  it("shows how to start an engine that is not running", () => {
    expect(renderState(state)).toBe("The engine local is not running. Start it with: butleradm local up --name local");
  });

  it("has a line for each component, followed by problems with remedies", () => {
    const common = { since: "2026-01-01T00:00:00Z", isAdopted: false, restarts: 0 };
    const services: EngineState["services"] = [
      { ...common, name: "etcd", state: "Ready", message: "", process: { pid: 12, startTime: "1", bootId: "b" } },
      { ...common, name: "kubelet", state: "Backoff", message: "exited with code 1;\nand a long log", restarts: 3 },
    ];
    const troubles = [{ what: "the disk is full", remedy: "Free some." }];
    expect(renderState({ ...state, services, troubles }).split("\n")).toEqual([
      "engine local  https://10.200.254.2:6443  /var/lib/butler/local/kubeconfig",
      "",
      "COMPONENT  STATE    RESTARTS  PROCESS  MESSAGE",
      "etcd       Ready    0         12",
      "kubelet    Backoff  3                  exited with code 1;",
      "",
      "the disk is full",
      "  Free some.",
    ]);
  });
});
