import { Team, TenantAddon, TenantCluster, TenantControlPlane } from "@butler/api";
import type { ObjectOf, Resource } from "@butler/resource";
import { anObject } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { addonNotification, certificateNotification, clusterNotification, teamNotification } from "./notifications.ts";

const now = new Date("2026-06-01T12:00:00Z");
const made = <K extends Resource>(kind: K, body: Record<string, unknown>, version = 1): ObjectOf<K> =>
  anObject(kind, { name: "shop", namespace: "payments", version, body }) as unknown as ObjectOf<K>;
const cluster = (phase: string | undefined, ready?: string, version = 1): TenantCluster => {
  const conditions = ready === undefined ? [] : [{ type: "Ready", status: ready, reason: "R", message: "because" }];
  return made(TenantCluster, { spec: { teamRef: { name: "payments" } }, status: { phase, conditions } }, version);
};

describe("clusters", () => {
  it.each([
    ["Installing", "Ready", "success"],
    ["Updating", "Ready", "success"],
    ["Ready", "Failed", "error"],
    ["Ready", "Ready", undefined],
    ["Pending", "Provisioning", undefined],
    ["Ready", "Updating", undefined],
  ])("from %s to %s are notified as %s", (before, after, severity) => {
    const event = { type: "update" as const, object: cluster(after), previous: cluster(before) };
    expect(clusterNotification(event, now)?.severity).toBe(severity);
  });

  it("that become degraded are notified once, with the reason", () => {
    const event = { type: "update" as const, object: cluster("Ready", "False"), previous: cluster("Ready", "True") };
    expect(clusterNotification(event, now)).toMatchObject({
      severity: "warning",
      message: "because",
      resourceRef: { kind: "TenantCluster", name: "shop", namespace: "payments", team: "payments" },
    });
    const same = { type: "update" as const, object: cluster("Ready", "False", 2), previous: cluster("Ready", "False") };
    expect(clusterNotification(same, now)).toBeUndefined();
  });

  it("are not notified at startup if ready, but are if failed", () => {
    expect(clusterNotification({ type: "add", object: cluster("Ready") }, now)).toBeUndefined();
    expect(clusterNotification({ type: "add", object: cluster("Failed") }, now)?.severity).toBe("error");
    expect(clusterNotification({ type: "delete", object: cluster("Ready") }, now)?.severity).toBe("info");
  });

  it("are notified with the same id by every server", () => {
    const event = { type: "add" as const, object: cluster("Failed", undefined, 42) };
    expect(clusterNotification(event, now)?.id).toBe(clusterNotification(event, new Date(0))?.id);
  });
});

describe("other notifications", () => {
  const addon = (phase: string): TenantAddon =>
    made(TenantAddon, { spec: { clusterRef: { name: "shop" } }, status: { phase, message: "no chart" } });
  const team = (quotaStatus: string): Team => made(Team, { spec: {}, status: { quotaStatus, quotaMessage: "nodes" } });
  const controlPlane = (...ends: string[]): TenantControlPlane =>
    made(TenantControlPlane, {
      spec: {},
      status: { certificates: Object.fromEntries(ends.map((notAfter, at) => [at, { notAfter }])) },
    });

  it.each([
    ["Failed", "error"],
    ["Degraded", "warning"],
    ["Installed", undefined],
  ])("of an add-on that is %s: %s", (phase, severity) => {
    const event = { type: "update" as const, object: addon(phase), previous: addon("Installing") };
    expect(addonNotification(event, { team: "payments", now })?.severity).toBe(severity);
    const again = { type: "update" as const, object: addon(phase), previous: addon(phase) };
    expect(addonNotification(again, { team: "payments", now })).toBeUndefined();
  });

  it.each([
    ["OK", undefined],
    ["Warning", "warning"],
    ["Exceeded", "error"],
  ])("of a team whose quota is %s: %s", (status, severity) => {
    const event = { type: "update" as const, object: team(status), previous: team("") };
    expect(teamNotification(event, now)?.severity).toBe(severity);
  });

  it.each<[string, readonly string[], string | undefined]>([
    ["that are valid for long", ["2027-06-01T12:00:00Z"], undefined],
    ["one of which expires in three days", ["2027-06-01T12:00:00Z", "2026-06-04T12:00:00Z"], "warning"],
    ["one of which has expired", ["2026-05-31T12:00:00Z"], "error"],
    ["with unknown expiration", ["soon"], undefined],
    ["that do not exist yet", [], undefined],
  ])("of certificates %s", (_what, ends, severity) => {
    expect(certificateNotification(controlPlane(...ends), cluster("Ready"), now)?.severity).toBe(severity);
  });
});
