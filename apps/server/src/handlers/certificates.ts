import { includesRole, memberRoleOf } from "@butler/access";
import type { TenantCluster } from "@butler/api";
import { listCertificates, rotateCertificates } from "@butler/contract";
import { listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import {
  certificateMarks,
  certificateSelector,
  certificatesOf,
  isBeingRotated,
  secretsToRotate,
  worstHealth,
} from "@butler/diagnosis/certificates";
import { type Handler, handle } from "../http/handler.ts";
import { RouteProblem } from "../http/problem.ts";
import type { HandlerContext } from "./handler-context.ts";

/** Certificates of control planes. */
export function certificateHandlers(context: HandlerContext): Handler[] {
  const { client, clock } = context;
  return [
    handle(listCertificates, async ({ cluster, signal }) => {
      const secrets = await secretsOf(context, cluster, signal);
      const certificates = certificatesOf(secrets, clock.now());
      const [first] = certificates;
      return {
        clusterName: cluster.metadata.name,
        namespace: cluster.metadata.namespace ?? "",
        certificates,
        certificateCount: certificates.length,
        overallHealth: worstHealth(certificates),
        ...(first === undefined ? {} : { earliestExpiry: first.notAfter }),
        rotationInProgress: secrets.some(isBeingRotated),
      };
    }),
    handle(rotateCertificates, async ({ cluster, body, caller, subject, signal }) => {
      if (body.type === "ca") {
        const role = subject && memberRoleOf(subject.team, caller.person, subject.environment);
        const mayReplace = includesRole(role, "admin") || caller.platformRole === "admin";
        if (!mayReplace) throw new RouteProblem("FORBIDDEN", "rotating the CA requires the admin role in the team");
        if (body.acknowledge !== true) throw unacknowledged();
      }
      const secrets = await secretsOf(context, cluster, signal);
      if (secrets.some(isBeingRotated))
        throw new RouteProblem("CONFLICT", "a certificate rotation is already in progress");
      const affectedSecrets = secretsToRotate(certificatesOf(secrets, clock.now()), body.type);
      // Steward rotates marked Secrets. Only the server can mark them: users have no access to these Secrets.
      for (const name of affectedSecrets) {
        await client.patch(
          builtinKinds.Secret,
          { name, namespace: cluster.status?.tenantNamespace },
          {
            type: "merge",
            patch: { metadata: { annotations: { [certificateMarks.rotate]: "" } } },
            fieldManager: "butler-server",
            signal,
          },
        );
      }
      return {
        type: body.type,
        affectedSecrets,
        message: `rotating certificates in ${affectedSecrets.length} Secret(s)`,
      };
    }),
  ];
}

async function secretsOf(
  { client }: HandlerContext,
  { metadata, status }: TenantCluster,
  signal: AbortSignal,
): Promise<DynamicObject[]> {
  const namespace = status?.tenantNamespace;
  if (namespace === undefined) return [];
  const secrets: DynamicObject[] = [];
  const options = { namespace, labelSelector: certificateSelector(metadata.name), signal };
  for await (const secret of listAll(client, builtinKinds.Secret, options)) secrets.push(secret);
  return secrets;
}

function unacknowledged(): RouteProblem {
  const message = "rotating the CA invalidates all issued kubeconfigs; set acknowledge to true to confirm";
  return new RouteProblem("INVALID", message, { causes: [{ field: "acknowledge", reason: "REQUIRED", message }] });
}
