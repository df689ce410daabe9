import { describe, expect, it } from "vitest";
import { podComplaints, type PodReport } from "./complaints.ts";

const metadata = { name: "pod" };
const container = { name: "manager", ready: false, restartCount: 2 };

describe("podComplaints", () => {
  it.each<[string, PodReport[], string[]]>([
    ["no pod", [], ["no pods"]],
    [
      "an image that is not there",
      [{ metadata, status: { containerStatuses: [{ ...container, state: { waiting: { reason: "ErrImagePull" } } }] } }],
      ["pod pod, manager: ErrImagePull"],
    ],
    [
      "a crash",
      [
        {
          metadata,
          status: {
            phase: "Running",
            containerStatuses: [
              {
                ...container,
                state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 10s" } },
                lastState: { terminated: { reason: "Error", message: "no such flag\n" } },
              },
            ],
          },
        },
      ],
      ["pod pod, manager: CrashLoopBackOff: back-off 10s; last state: Error: no such flag"],
    ],
    [
      "a failing probe",
      [{ metadata, status: { phase: "Running", containerStatuses: [{ ...container, state: {} }] } }],
      ["pod pod, manager: running but not ready (2 restarts)"],
    ],
    [
      "no node",
      [
        {
          metadata,
          status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", message: "0/1 nodes" }] },
        },
      ],
      ["pod pod is not scheduled: 0/1 nodes"],
    ],
    ["a pod that waits silently", [{ metadata, status: { phase: "Pending" } }], ["pod pod is Pending"]],
    [
      "a pod that works",
      [{ metadata, status: { phase: "Running", containerStatuses: [{ ...container, ready: true }] } }],
      [],
    ],
  ])("reports %s", (_, pods, complaints) => {
    expect(podComplaints(pods, [])).toEqual(complaints);
  });

  it("appends the last warnings once each, and no other events", () => {
    const warning = (message: string): object => ({ type: "Warning", reason: "Failed", message });
    const events = [warning("first"), warning("a"), warning("b"), warning("b"), { type: "Normal", message: "pulled" }];
    expect(podComplaints([], events)).toEqual(["no pods", "event Failed: a", "event Failed: b"]);
  });
});
