import { annotations, TenantAddon, type TenantCluster } from "@butler/api";
import { planFrozen } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { aJob, anAttempt, anInspection, aRevision, nowMs } from "../testing/situations.ts";
import { sightOf } from "./cluster-sight.ts";
import type { Observed } from "./observed.ts";
import { type AddonPlan, plan } from "./plan.ts";

const now = new Date(nowMs);
const place = { release: "web", namespace: "apps" };
const source = { repository: "https://charts.example.com", name: "web", version: "1.0.0" };
const wanted = {
  wanted: {
    source,
    credentials: undefined,
    ...place,
    createNamespace: true,
    values: {},
    origins: [],
    timeoutMs: 600_000,
    fingerprint: "one",
  },
};

function anAddon({ spec = {}, status, ...metadata }: Record<string, unknown> = {}): TenantAddon {
  return {
    apiVersion: TenantAddon.apiVersion,
    kind: TenantAddon.kind,
    metadata: { name: "web", namespace: "payments", uid: "uid", generation: 1, ...metadata },
    spec: { clusterRef: { name: "shop" }, driftPolicy: "Report", ...(spec as object) },
    ...(status === undefined ? {} : { status }),
  } as TenantAddon;
}

function aCluster(isReady: boolean, metadata: object = {}): TenantCluster {
  const conditions = [{ type: "ControlPlaneReady", status: isReady ? "True" : "False", message: "starts" }];
  const status = { kubeconfigSecretRef: { name: "k" }, tenantNamespace: "payments", conditions };
  return {
    metadata: { name: "shop", namespace: "payments", ...metadata },
    spec: {},
    status,
  } as unknown as TenantCluster;
}

function anObserved(traits: Partial<Observed> = {}): Observed {
  const view = { revisions: [], pendingSinceMs: undefined, inspection: undefined, drift: undefined };
  return {
    addon: anAddon(),
    sight: sightOf(aCluster(true), "shop"),
    wanted,
    isBaseline: false,
    verdict: { state: "met" },
    place,
    isMoving: false,
    others: new Map([["other-uid", "other"]]),
    job: undefined,
    observation: { view, nextLookMs: 30_000 },
    graceMs: 15_000,
    unreachableMs: 10_000,
    ...traits,
  };
}

const seeing = (...revisions: ReturnType<typeof aRevision>[]): Observed["observation"] => ({
  view: { revisions, pendingSinceMs: undefined, inspection: anInspection(3), drift: undefined },
  nextLookMs: 30_000,
});
const unreachable: Observed["observation"] = { problem: { reason: "TenantUnreachable", message: "no answer" } };
const leaving = { deletionTimestamp: "2026-03-01T12:00:00Z" };
const installed = { phase: "Installed", lastAttempt: anAttempt(), helmRelease: { name: "web", namespace: "apps" } };

function planFor(traits: Partial<Observed>): AddonPlan {
  const observed = anObserved(traits);
  return planFrozen({ plan, observed, now, settle: (same) => same }, observed);
}

const conditionIn = ({ conditions = [] }: AddonPlan, type: string): string => {
  const found = conditions.find((condition) => condition.type === type);
  return `${found?.status} ${found?.reason}`;
};

describe("plan of a TenantAddon", () => {
  it("starts an installation with all its inputs", () => {
    const { effects, status, finalizer } = planFor({});
    expect(effects).toMatchObject([
      { type: "startJob", key: "tenant payments/web", uid: "uid", action: "install", ...place, fingerprint: "one" },
    ]);
    expect(status).toMatchObject({ phase: "Installing", lastAttempt: { outcome: "Running" } });
    expect(finalizer).toBe("hold");
  });

  it("hole 5: starts its job as one of its team, and of the baseline only when it is one", () => {
    const cluster = aCluster(true);
    const ofTeam = { ...cluster, spec: { teamRef: { name: "blue" } } } as TenantCluster;
    expect(planFor({ sight: sightOf(ofTeam, "shop") }).effects).toMatchObject([
      { isBaseline: false, cluster: { team: "blue" } },
    ]);
    expect(planFor({ isBaseline: true }).effects).toMatchObject([{ isBaseline: true, cluster: { team: "payments" } }]);
  });

  it("hole 5: says that a longer timeout was reduced", () => {
    const timeoutNote = "the timeout of 24h is limited to 1h";
    const { status, conditions } = planFor({
      wanted: { wanted: { ...wanted.wanted, timeoutNote } },
      observation: seeing(aRevision()),
    });
    const message = `3 of 3 objects are ready; ${timeoutNote}`;
    expect(status).toMatchObject({ phase: "Installed", message });
    expect(conditions?.find(({ type }) => type === "Ready")).toMatchObject({ status: "True", message });
  });

  it.each([
    { name: "without a cluster", sight: sightOf(undefined, "shop"), reason: "ClusterNotFound" },
    { name: "in a cluster that goes", sight: sightOf(aCluster(true, leaving), "shop"), reason: "ClusterDeleting" },
    { name: "without a control plane", sight: sightOf(aCluster(false), "shop"), reason: "ControlPlaneNotReady" },
  ])("waits $name", ({ sight, reason }) => {
    const waiting = planFor({ sight });
    expect(waiting).toMatchObject({ status: { phase: "Pending" }, effects: [] });
    expect(conditionIn(waiting, "ClusterReady")).toBe(`False ${reason}`);
  });

  it("reports an invalid spec, and what is still installed", () => {
    const fault = { reason: "DefinitionNotFound", message: "the catalog has none" } as const;
    const fresh = planFor({ wanted: { fault }, place: undefined, observation: undefined });
    expect(fresh).toMatchObject({ status: { phase: "Failed", message: fault.message }, effects: [] });
    const running = planFor({ wanted: { fault }, observation: seeing(aRevision()) });
    expect(running.status).toMatchObject({ phase: "Degraded", installedVersion: "1.0.0" });
  });

  it("keeps the known state of an unreachable cluster", () => {
    const kept = planFor({ addon: anAddon({ status: installed }), observation: unreachable });
    expect(kept.status).toMatchObject({ phase: "Installed", lastAttempt: { outcome: "Succeeded" } });
    expect([conditionIn(kept, "ClusterReady"), conditionIn(kept, "Ready")]).toEqual([
      "False TenantUnreachable",
      "Unknown TenantUnreachable",
    ]);
    expect(kept.requeueAfterMs).toBe(10_000);
  });

  it("does not report an unreadable release as an unreachable cluster", () => {
    const observation = { problem: { reason: "LookFailed", message: "the manifest cannot be read" } } as const;
    const told = planFor({ addon: anAddon({ status: installed }), observation });
    expect([conditionIn(told, "ClusterReady"), conditionIn(told, "Ready")]).toEqual([
      "True ControlPlaneReady",
      "Unknown LookFailed",
    ]);
  });

  it("leaves the release of another add-on alone", () => {
    const observation = seeing(aRevision({ owner: "other-uid", fingerprint: "else" }));
    const refused = planFor({ observation });
    expect(refused).toMatchObject({ effects: [], status: { phase: "Failed" } });
    expect(conditionIn(refused, "Ready")).toBe("False ReleaseTaken");
    expect(planFor({ addon: anAddon({ ...leaving, status: installed }), observation })).toEqual({
      finalizer: "release",
    });
  });

  it("cancels an outdated job even if the cluster is unreachable", () => {
    expect(planFor({ observation: unreachable, job: aJob({ fingerprint: "zero" }) }).effects).toEqual([
      { type: "cancelJob", key: "tenant payments/web" },
    ]);
  });

  describe("that is being deleted", () => {
    const addon = anAddon({ ...leaving, status: installed });

    it("is uninstalled, then its finalizer is removed", () => {
      expect(planFor({ addon, observation: seeing(aRevision()) }).effects).toMatchObject([{ action: "uninstall" }]);
      expect(planFor({ addon })).toEqual({ finalizer: "release" });
    });

    it.each([sightOf(undefined, "shop"), sightOf(aCluster(true, leaving), "shop")])(
      "is deleted with its cluster",
      (sight) => {
        expect(planFor({ addon, sight })).toMatchObject({ finalizer: "release", events: [{ type: "Normal" }] });
        const busy = planFor({ addon, sight, job: aJob() });
        expect(busy).toMatchObject({ finalizer: "hold", effects: [{ type: "cancelJob" }] });
      },
    );

    it("stays while its cluster is unreachable, unless abandoned", () => {
      const stuck = planFor({ addon, observation: unreachable });
      expect(stuck).toMatchObject({ finalizer: "hold", status: { phase: "Deleting" } });
      expect(stuck.status?.["message"]).toContain(annotations.abandon);
      const abandoned = { ...addon, metadata: { ...addon.metadata, annotations: { [annotations.abandon]: "true" } } };
      expect(planFor({ addon: abandoned, observation: unreachable })).toMatchObject({
        finalizer: "release",
        events: [{ type: "Warning", reason: "Abandoned" }],
      });
    });
  });
});
