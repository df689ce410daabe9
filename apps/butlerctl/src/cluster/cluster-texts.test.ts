import { plainPaint, renderTable } from "@butler/cli-kit";
import { describe, expect, it } from "vitest";
import {
  aCluster,
  aContainerStatus,
  aDeployment,
  aMachine,
  aPod,
  aReadyCluster,
  aWarning,
  now,
  secondsAgo,
  someFacts,
} from "@butler/diagnosis/testing";
import { clusterView } from "./cluster-view.ts";
import { describeFacts } from "./describe-facts.ts";
import { progressLines } from "./progress-lines.ts";
import { renderDiagnosis } from "./why.ts";
import { why } from "@butler/diagnosis";

describe("clusterView", () => {
  const clusters = [
    aReadyCluster({ metadata: { labels: { "butler.butlerlabs.dev/environment": "prod" } } }),
    aCluster({
      metadata: { name: "a-much-longer-name", namespace: "search" },
      spec: { teamRef: undefined, providerConfigRef: undefined },
      status: { phase: undefined },
    }),
    aReadyCluster({
      metadata: { name: "old" },
      status: { phase: "Updating", observedState: { kubernetesVersion: "v1.35.2" } },
    }),
    aReadyCluster({ metadata: { name: "gone", deletionTimestamp: secondsAgo(5) } }),
  ];

  it("shows clusters in a table", () => {
    const { columns } = clusterView(() => now, { hasNamespace: false });
    expect(renderTable(columns, clusters)).toEqual([
      "NAME                PHASE     K8S VERSION         WORKERS  AGE",
      "blue                Ready     v1.36.3             2/2      5m",
      "a-much-longer-name  Pending   v1.36.3             0/2      5m",
      "old                 Updating  v1.35.2 -> v1.36.3  2/2      5m",
      "gone                Deleting  v1.36.3             2/2      5m",
    ]);
  });

  it("shows more columns in wide output, and the namespace for several namespaces", () => {
    const { columns, nameOf } = clusterView(() => now, { hasNamespace: true });
    expect(renderTable(columns, clusters.slice(0, 2), { isWide: true })).toEqual([
      "NAMESPACE  NAME                PHASE    K8S VERSION  WORKERS  AGE  ENV   TEAM      PROVIDER  ENDPOINT",
      "payments   blue                Ready    v1.36.3      2/2      5m   prod  payments  local     10.40.1.100:6443",
      "search     a-much-longer-name  Pending  v1.36.3      0/2      5m   -     -         -         -",
    ]);
    expect(clusters.map(nameOf)[0]).toBe("tenantcluster.butler.butlerlabs.dev/blue");
  });
});

describe("describeFacts", () => {
  it("shows everything, problems first", () => {
    const facts = someFacts({
      cluster: aCluster({
        metadata: {
          annotations: { "butler.butlerlabs.dev/owner": "ada@example.com" },
          labels: { "butler.butlerlabs.dev/environment": "dev" },
        },
        status: {
          pools: [{ name: "workers", desired: 2, ready: 1, upToDate: 2 }],
          steps: [
            { name: "ControlPlane", startedAt: secondsAgo(200), finishedAt: secondsAgo(150) },
            { name: "Workers", startedAt: secondsAgo(150) },
          ],
          origins: [{ field: "spec.workers.replicas", value: "2", from: "team" }],
        },
        conditions: [
          "ControlPlaneReady=True Up the API server answers",
          "WorkersReady=False WorkersProvisioning pool workers: 1/2 nodes ready",
        ],
      }),
      machineDeployments: [aDeployment()],
      machines: [aMachine({ phase: "Running", nodeRef: { name: "blue-workers-x7k2p" } })],
      pods: [aPod("blue-5f7d", { containerStatuses: [aContainerStatus({ ready: true, restartCount: 2 })] })],
      warnings: [
        aWarning({
          reason: "Unhealthy",
          object: { kind: "Pod", name: "blue-5f7d" },
          message: "probe\nfailed",
          count: 3,
        }),
      ],
      unreadable: [{ what: "DataStore default", why: "permission denied" }],
    });
    expect(describeFacts(facts).join("\n")).toBe(`Name:        blue
Namespace:   payments
Team:        payments
Environment: dev
Owner:       ada@example.com
Phase:       Provisioning
Kubernetes:  v1.36.3
Provider:    local (local)
Workers:     0/2 ready
Runs in:     namespace blue-0a1b2c3d
Age:         5m

blue is progressing (Provisioning): pool workers: 1/2 nodes ready; no problems found so far.
Next: Wait, or watch the progress: butlerctl cluster get blue -n payments --watch

Conditions:
  TYPE               STATUS  SINCE  REASON               MESSAGE
  WorkersReady       False   1m     WorkersProvisioning  pool workers: 1/2 nodes ready
  ControlPlaneReady  True    1m     Up                   the API server answers

Pools:
  NAME     DESIRED  READY  UP-TO-DATE  MACHINE SPEC
  workers  2        1      2           4 CPU, 8Gi, disk 50Gi, rocky 9.5

Machines:
  NAME                PHASE    VERSION  NODE                AGE
  blue-workers-x7k2p  Running  v1.36.3  blue-workers-x7k2p  4m

Control plane:
  POD        READY  PHASE    RESTARTS  AGE
  blue-5f7d  1/1    Running  2         4m

Steps:
  STEP          DURATION
  ControlPlane  50s
  Workers       in progress

Values:
  FIELD                  VALUE  FROM
  spec.workers.replicas  2      team

Warnings:
  LAST SEEN  COUNT  OBJECT         REASON     MESSAGE
  20s        3      Pod/blue-5f7d  Unhealthy  probe failed

Could not read: DataStore default (permission denied).`);
  });

  it("is short for a cluster without details", () => {
    const lines = describeFacts(someFacts({ cluster: aReadyCluster() }));
    expect(lines.filter((line) => line.endsWith(":"))).toEqual(["Conditions:", "Pools:"]);
  });
});

describe("renderDiagnosis", () => {
  it("prints the sentence, the next step and the chain to the cause", () => {
    const facts = someFacts({
      cluster: aCluster({ conditions: ["WorkersReady=False Slow 1 of 2"] }),
      unreadable: [{ what: "pods in blue-0a1b2c3d", why: "the server\nis away" }],
    });
    expect(renderDiagnosis(why(facts), facts, plainPaint).join("\n"))
      .toBe(`blue is progressing (Provisioning): 1 of 2; no problems found so far.
Next: Wait, or watch the progress: butlerctl cluster get blue -n payments --watch

  TenantCluster payments/blue: Provisioning, WorkersReady=False (Slow)

Could not read: pods in blue-0a1b2c3d (the server is away).`);
  });
});

describe("progressLines", () => {
  const text = { paint: plainPaint, elapsedMs: () => 65_000 };

  it("prints the initial state, and then only changes", () => {
    const first = aCluster({
      conditions: [
        "ControlPlaneReady=False Starting the API server is starting",
        "Ready=False Starting x",
        "DeletionOverdue=False No not yet",
      ],
    });
    expect(progressLines(undefined, first, text)).toEqual([
      "  1m  Provisioning",
      "  1m  … ControlPlaneReady: the API server is starting",
    ]);
    expect(progressLines(first, first, text)).toEqual([]);
    const second = aCluster({ conditions: ["ControlPlaneReady=True Up the API server answers"] });
    expect(progressLines(first, second, text)).toEqual(["  1m  ✓ ControlPlaneReady: the API server answers"]);
  });

  it("marks negative conditions, and omits waiting steps", () => {
    const late = aCluster({
      conditions: [
        "DeletionOverdue=True Late longer than 30m",
        "NamespaceRemoved=False Waiting waiting for earlier steps",
      ],
    });
    expect(progressLines(aCluster(), late, text)).toEqual(["  1m  … DeletionOverdue: longer than 30m"]);
  });
});
