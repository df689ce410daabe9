import { AuditSegment } from "@butler/api";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import type { TestCluster } from "@butler/testkit";
import { make } from "./make.ts";

/** Creates events of controllers. */
export async function makeEvents(cluster: TestCluster): Promise<void> {
  const event = async (name: string, about: Record<string, string>, rest: Record<string, unknown>) => {
    const { namespace = "" } = about;
    const object: DynamicObject = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: { apiVersion: "butler.butlerlabs.dev/v1alpha1", kind: "TenantCluster", ...about },
      ...rest,
    };
    await cluster.client.create(builtinKinds.Event, object);
  };
  const minutesAgo = (minutes: number): string =>
    new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+Z/, "Z");
  await event(
    "indexer.1",
    { name: "indexer", namespace: "search" },
    {
      type: "Warning",
      reason: "NoRoom",
      message: "the provider local has no room for 4 machines",
      count: 12,
      lastTimestamp: minutesAgo(3),
    },
  );
  await event(
    "blue.1",
    { name: "blue", namespace: "payments" },
    { type: "Normal", reason: "Ready", message: "the cluster is ready", count: 1, lastTimestamp: minutesAgo(12) },
  );
}

/** Creates audit records of users. */
export async function makeAudit(cluster: TestCluster): Promise<void> {
  const record = (number: number, rest: Record<string, unknown>) =>
    `${JSON.stringify({
      id: `20260601t120000-test.${number}`,
      number,
      previous: "0".repeat(64),
      phase: "outcome",
      timestamp: `2026-06-01T12:0${number}:00.000Z`,
      requestId: `request-${number}`,
      user: "ada@example.com",
      resourceType: "TenantCluster",
      resourceName: "blue",
      resourceNamespace: "payments",
      teamRef: "payments",
      httpMethod: "PATCH",
      path: "/api/clusters/payments/blue",
      statusCode: 200,
      success: true,
      code: "",
      fields: ["spec.workers.replicas"],
      sourceIP: "10.0.0.7",
      ...rest,
    })}\n`;
  const lines = [
    record(1, { action: "create" }),
    record(2, { action: "scale" }),
    record(3, { action: "delete", user: "bob@example.com", statusCode: 403, success: false, code: "FORBIDDEN" }),
  ].join("");
  const hash = "0".repeat(64);
  const spec = {
    chain: "20260601t120000-test",
    sequence: 1,
    firstRecord: 1,
    records: 3,
    previousHash: hash,
    lastHash: hash,
    firstTime: "2026-06-01T12:01:00.000Z",
    lastTime: "2026-06-01T12:03:00.000Z",
    lines,
  };
  await make(cluster, AuditSegment, { metadata: { name: "20260601t120000-test-000001" }, spec });
}
