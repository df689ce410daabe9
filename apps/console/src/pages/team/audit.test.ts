import { describe, expect, it } from "vitest";
import { type AuditEntry, objectWords, outcomeOf } from "../../parts/audit/record.ts";
import { auditQuery, auditSearch, isNarrowed } from "./audit.ts";

describe("records", () => {
  const entry = {
    outcome: "success",
    statusCode: 200,
    resourceType: "TenantCluster",
    resourceName: "shop",
    resourceNamespace: "payments",
    teamRef: "payments",
  } as AuditEntry;

  it("parse known search parameters only", () => {
    expect(auditSearch({ q: "shop", outcome: "maybe", from: "2026-06-01", to: "never", evil: 1 })).toEqual({
      q: "shop",
      from: "2026-06-01",
    });
  });

  it("are queried within the API limits", () => {
    const asked = auditQuery({ q: "x".repeat(300), kind: "Team", outcome: "failure" });
    expect(asked).toEqual({ search: "x".repeat(200), resourceType: "Team", success: "false", limit: 100 });
    expect(isNarrowed({})).toBe(false);
    expect(isNarrowed({ user: "ada" })).toBe(true);
  });

  it("distinguish rejections from server errors", () => {
    expect(outcomeOf(entry)).toEqual({ tone: "asleep", word: "Succeeded" });
    expect(outcomeOf({ ...entry, outcome: "failure", statusCode: 403 }).word).toBe("Rejected");
    expect(outcomeOf({ ...entry, outcome: "failure", statusCode: 503 }).word).toBe("Failed");
    expect(outcomeOf({ ...entry, outcome: "unknown", statusCode: 0 }).tone).toBe("attention");
  });

  it("show the namespace of objects outside the team", () => {
    expect(objectWords(entry)).toBe("TenantCluster shop");
    expect(objectWords({ ...entry, resourceNamespace: "other" })).toBe("TenantCluster other/shop");
  });
});
