import { allResources, type DataStore, TenantCluster } from "@butler/api";
import { buildCrd, type DynamicObject, type KubeObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { worstOf } from "../platform/check-result.ts";
import type { DoctorFacts } from "../platform/facts.ts";
import {
  aDeployment,
  aLease,
  capiDefinition,
  cause,
  condition,
  established,
  full,
  inDays,
  leaving,
  minutesAgo,
  orphan,
  pending,
  provider,
  release,
  well,
} from "../platform/testing/some-facts.ts";
import { diagnose } from "./diagnose.ts";

describe("diagnose", () => {
  it("reports no problems for a healthy installation", () => {
    const results = diagnose(well);
    expect(results.filter(({ severity }) => severity !== "ok")).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(12);
  });

  it.each<[string, Partial<DoctorFacts>, "warning" | "fault", RegExp, RegExp]>([
    ["no release", { history: [] }, "fault", /no Butler Helm release/, /butleradm install/],
    [
      "a failed release",
      { history: [{ ...release, status: "failed" }] },
      "fault",
      /Butler revision 3 has status failed/,
      /butleradm upgrade/,
    ],
    [
      "a missing kind",
      { definitions: well.definitions.slice(1) },
      "fault",
      /missing CRDs: addondefinitions/,
      /butleradm upgrade/,
    ],
    [
      "an older kind",
      {
        definitions: [
          established({ ...buildCrd(allResources[0] ?? TenantCluster), spec: {} } as unknown as KubeObject),
          ...well.definitions.slice(1),
        ],
      },
      "warning",
      /CRDs differ from this version: addondefinitions/,
      /butleradm upgrade/,
    ],
    [
      "a kind that is not served",
      { definitions: [{ ...well.definitions[0], status: {} } as DynamicObject, ...well.definitions.slice(1)] },
      "fault",
      /does not serve addondefinitions/,
      /kubectl describe crd/,
    ],
    ["no processes", { deployments: [] }, "fault", /no Butler components/, /install/],
    [
      "a process that is not ready",
      { deployments: [aDeployment("butler-steward", 2, { status: { availableReplicas: 1 } })] },
      "fault",
      /1\/2 replicas ready/,
      /kubectl describe deployment\/butler-steward/,
    ],
    [
      "an outdated process",
      { deployments: [aDeployment("butler-steward", 1, { status: { observedGeneration: 0 } })] },
      "fault",
      /an older version is still running/,
      /kubectl/,
    ],
    ["no leader", { leases: [] }, "fault", /butler-controller: no leader/, /Lease/],
    [
      "a leader with an expired Lease",
      { leases: [aLease("butler-controller", minutesAgo(10))] },
      "fault",
      /no leader/,
      /Lease/,
    ],
    [
      "a process that is scaled to 0",
      { deployments: [aDeployment("butler-steward", 0)] },
      "warning",
      /scaled to 0 replicas/,
      /replicas/,
    ],
    ["no webhooks", { webhooks: [], webhookAnswers: {} }, "fault", /objects are not validated/, /upgrade/],
    [
      "a webhook that does not answer",
      { webhookAnswers: { "butler-controller": "failed calling webhook: refused" } },
      "fault",
      /cannot call butler-controller/,
      /9443/,
    ],
    [
      "an expired certificate",
      { ownCertificates: [{ what: "tls.crt", notAfter: inDays(-1) }] },
      "fault",
      /tls\.crt has expired/,
      /restart/,
    ],
    [
      "a certificate that expires soon",
      { ownCertificates: [{ what: "tls.crt", notAfter: inDays(3.5) }] },
      "warning",
      /expires in 3 days/,
      /renews/,
    ],
    ["no store", { dataStores: [] }, "warning", /no DataStore/, /Steward/],
    [
      "a store that is down",
      {
        dataStores: [
          { ...well.dataStores[0], status: { conditions: [condition("Ready", "False", "no answer")] } } as DataStore,
        ],
      },
      "fault",
      /default is not ready: no answer/,
      /kubectl describe/,
    ],
    [
      "no Cluster API",
      { definitions: well.definitions.filter(({ metadata }) => metadata.name !== "clusters.cluster.x-k8s.io") },
      "fault",
      /not installed/,
      /Install/,
    ],
    [
      "an old Cluster API",
      {
        definitions: well.definitions.map((each) =>
          each.metadata.name === "clusters.cluster.x-k8s.io" ? capiDefinition(each.metadata.name, "v1beta1") : each,
        ),
      },
      "fault",
      /does not serve v1beta2/,
      /Upgrade/,
    ],
    [
      "no bootstrap provider",
      { definitions: well.definitions.filter(({ metadata }) => !metadata.name.startsWith("kubeadm")) },
      "fault",
      /bootstrap provider is not installed/,
      /Install/,
    ],
    [
      "an old provider",
      { providers: [provider("x/capi:v1.9.0")] },
      "warning",
      /cluster-api v1\.9\.0 is older/,
      /Upgrade/,
    ],
    [
      "a provider that is down",
      { providers: [provider("x/capi:v1.14.2", { availableReplicas: 0 })] },
      "fault",
      /cluster-api is not ready/,
      /kubectl/,
    ],
    [
      "an object that is stuck in deletion",
      { leaving: [leaving(90)] },
      "fault",
      /Team old has been terminating for .*, blocked by butler\.butlerlabs\.dev\/team/,
      /controller/,
    ],
    [
      "a cluster that is stuck",
      { clusters: [pending], causes: { "payments/green": { ...cause, isStuck: true } } },
      "fault",
      /payments\/green is Provisioning: The image is missing/,
      /Provide the image/,
    ],
    [
      "a cluster in progress",
      { clusters: [pending], causes: { "payments/green": { ...cause, isStuck: false } } },
      "warning",
      /Provisioning/,
      /Provide/,
    ],
    [
      "a cluster without a diagnosis",
      { clusters: [pending] },
      "fault",
      /Provisioning/,
      /cluster why green -n payments/,
    ],
    [
      "a pool with few addresses left",
      { pools: full("CapacityWarning") },
      "warning",
      /1 of 100 addresses/,
      /network show underlay/,
    ],
    ["a full pool", { pools: full("CapacityExhausted") }, "fault", /addresses left/, /network show underlay/],
    [
      "a namespace of a deleted cluster",
      {
        namespaces: orphan({
          "butler.butlerlabs.dev/source-name": "gone",
          "butler.butlerlabs.dev/source-namespace": "payments",
        }),
      },
      "warning",
      /left was created for the cluster payments\/gone/,
      /delete namespace left/,
    ],
    [
      "a namespace of a deleted team",
      { namespaces: orphan({ "butler.butlerlabs.dev/team": "gone" }) },
      "warning",
      /the team gone/,
      /delete/,
    ],
    [
      "a failed add-on",
      { failedAddons: [{ what: "TenantAddon payments/x", message: "no chart" }] },
      "warning",
      /no chart/,
      /addon status/,
    ],
    [
      "an object that cannot be read",
      { unreadable: [{ what: "secrets", why: "permission denied" }] },
      "warning",
      /cannot read secrets/,
      /administrator/,
    ],
  ])("%s", (_name, further, severity, says, remedy) => {
    const wrong = diagnose({ ...well, ...further }).filter((each) => each.severity !== "ok");
    expect(wrong).toContainEqual(
      expect.objectContaining({
        severity,
        says: expect.stringMatching(says) as string,
        remedy: expect.stringMatching(remedy) as string,
      }),
    );
    // A problem must be reported only once.
    expect(worstOf(wrong)).toBe(severity);
    expect(wrong.length).toBe(1);
  });

  it("ignores objects whose deletion has just begun", () => {
    expect(worstOf(diagnose({ ...well, leaving: [leaving(2)] }))).toBe("ok");
  });

  it("does not report namespaces as orphaned when teams cannot be read", () => {
    const namespaces = orphan({ "butler.butlerlabs.dev/team": "gone" });
    const unreadable = [{ what: "teams.butler.butlerlabs.dev", why: "permission denied" }];
    expect(diagnose({ ...well, namespaces, unreadable }).filter(({ check }) => check === "namespaces")).toEqual([]);
  });
});
