import type { DynamicObject } from "@butler/resource";
import { describe } from "vitest";
import { condition, make, table } from "./testing/verdicts.ts";

describe("a Pod", () => {
  const pod = (status: object): DynamicObject => make("v1/Pod", { status });
  const waiting = (reason: string, more: object = {}) => ({
    phase: "Pending",
    containerStatuses: [{ name: "web", state: { waiting: { reason, ...more } } }],
  });
  table([
    ["without a status", make("v1/Pod"), "progressing", "containers are starting"],
    ["that starts", pod(waiting("ContainerCreating")), "progressing", "containers are starting"],
    ["that runs", pod({ phase: "Running" }), "progressing", "not ready yet"],
    ["that is ready", pod({ phase: "Running", conditions: [condition("Ready")] }), "ready", "ready"],
    ["that is done", pod({ phase: "Succeeded" }), "ready", "succeeded"],
    ["that has failed", pod({ phase: "Failed", reason: "Evicted" }), "failed", "Evicted"],
    [
      "that ended with an error",
      pod({
        phase: "Failed",
        containerStatuses: [{ name: "a", state: { terminated: { exitCode: 3, message: "pw" } } }],
      }),
      "failed",
      /exited with code 3$/,
    ],
    [
      "without an image",
      pod(waiting("ImagePullBackOff", { message: 'Back-off pulling image "x:1"' })),
      "progressing",
      'container web cannot pull its image (ImagePullBackOff): Back-off pulling image "x:1"'.replace(/[()]/g, "."),
    ],
    ["with a first failure to pull", pod(waiting("ErrImagePull")), "progressing", /container web .*\(ErrImagePull\)$/],
    [
      "without its Secret",
      pod(waiting("CreateContainerConfigError", { message: 'secret "s" not found' })),
      "progressing",
      /web cannot be configured \(CreateContainerConfigError\): secret "s" not found/,
    ],
    ["with an image that cannot be", pod(waiting("InvalidImageName")), "failed", "InvalidImageName"],
    ["with something new", pod(waiting("SomethingNew")), "progressing", "container web is waiting: SomethingNew"],
    [
      "that crashes",
      pod({
        phase: "Running",
        containerStatuses: [
          { name: "fine", ready: true, state: { running: {} } },
          {
            name: "web",
            state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s" } },
            lastState: { terminated: { exitCode: 137, reason: "OOMKilled", message: "secret output" } },
          },
        ],
      }),
      "progressing",
      /^container web is crash-looping \(CrashLoopBackOff\): last exit code 137 \(OOMKilled\)$/,
    ],
    [
      "whose first container hangs",
      pod({
        ...waiting("PodInitializing"),
        initContainerStatuses: [{ name: "init", state: { waiting: { reason: "ErrImagePull" } } }],
      }),
      "progressing",
      "container init cannot pull",
    ],
    [
      "without a node",
      pod({
        phase: "Pending",
        conditions: [
          condition("PodScheduled", "False", { reason: "Unschedulable", message: "0/3 nodes are available." }),
        ],
      }),
      "progressing",
      "cannot be scheduled: 0/3 nodes are available",
    ],
  ]);
});
