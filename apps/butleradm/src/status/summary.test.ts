import type { DataStore } from "@butler/api";
import { describe, expect, it } from "vitest";
import type { DoctorFacts } from "../platform/facts.ts";
import { aDeployment, inDays, pending, release, well } from "../platform/testing/some-facts.ts";
import { renderSummary } from "./render-summary.ts";
import { summarise } from "./summary.ts";

describe("summarise", () => {
  it("reports a healthy installation with versions, leaders, phases and certificates", () => {
    const summary = summarise(well);
    expect(summary).toMatchObject({
      healthy: true,
      troubles: [],
      release: { version: "0.1.0", revision: 3, status: "deployed" },
      clusters: { total: 1, phases: { Ready: 1 } },
      certificates: { total: 1, first: { daysLeft: 90 } },
    });
    const text = renderSummary(summary).join("\n");
    expect(text).toMatch(/^butler-controller +2\/2 +v0\.1\.0 +0 +butler-controller-5d-x$/m);
    expect(text).toMatch(/^Clusters: +1: 1 Ready$/m);
    expect(text).toMatch(/^Pools: +butler-system\/underlay 10%$/m);
  });

  it.each<[string, Partial<DoctorFacts>, RegExp]>([
    ["nothing is installed", { history: [], deployments: [] }, /not installed in namespace butler-system/],
    [
      "a process is down",
      { deployments: [aDeployment("butler-steward", 1, { status: { availableReplicas: 0 } })] },
      /0\/1 replicas ready/,
    ],
    [
      "the newest revision failed",
      { history: [release, { ...release, revision: 4, status: "failed" }] },
      /latest Helm revision has status failed/,
    ],
    ["CRDs are missing", { definitions: [] }, /CRDs are missing/],
    ["a certificate has expired", { ownCertificates: [{ what: "tls.crt", notAfter: inDays(-1) }] }, /has expired/],
    [
      "a store is down",
      { dataStores: [{ ...well.dataStores[0], status: {} } as DataStore] },
      /DataStore default is not ready/,
    ],
  ])("is unhealthy when %s", (_name, further, problem) => {
    const summary = summarise({ ...well, ...further });
    expect(summary.healthy).toBe(false);
    expect(summary.troubles.join("\n")).toMatch(problem);
  });

  it("does not count a cluster that is not ready as a problem of Butler itself", () => {
    expect(summarise({ ...well, clusters: [pending] })).toMatchObject({
      healthy: true,
      clusters: { phases: { Provisioning: 1 } },
    });
  });
});
