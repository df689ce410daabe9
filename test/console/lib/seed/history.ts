import type { WholeServer } from "@butler/server/testing";
import { ago, roles, spans } from "./people.ts";
import { hostile, longestName } from "./texts.ts";

const done = [
  ["create", "TenantCluster", "shop", 201, ""],
  ["scale", "TenantCluster", "shop", 200, ""],
  ["enable", "TenantAddon", "shop-longhorn", 201, ""],
  ["delete", "TenantCluster", "shop", 409, "CONFLICT"],
  ["upgrade", "TenantCluster", "checkout", 200, ""],
  ["create", "TenantCluster", "one-too-many", 403, "QUOTA_EXCEEDED"],
  ["download-kubeconfig", "TenantCluster", longestName, 200, ""],
] as const;

/** Writes user actions of two teams to the audit log. */
export async function seedHistory({ audit }: WholeServer): Promise<void> {
  for (const team of ["payments", "oddities"]) {
    for (const [at, [action, resourceType, resourceName, statusCode, code]] of done.entries()) {
      await audit.sink.commit({
        timestamp: ago((done.length - at) * spans.hour),
        requestId: `request-${team}-${at}`,
        user: team === "oddities" ? hostile.markup : roles.operator.email,
        action,
        resourceType,
        resourceName: team === "oddities" && at === 0 ? hostile.script : resourceName,
        resourceNamespace: team,
        teamRef: team,
        httpMethod: "POST",
        path: `/api/clusters/${team}/${resourceName}`,
        statusCode,
        success: statusCode < 400,
        code,
        fields: ["spec.workers.replicas"],
        sourceIP: "192.0.2.7",
      });
    }
  }
}
