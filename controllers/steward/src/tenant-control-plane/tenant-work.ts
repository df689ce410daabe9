import type { TenantControlPlane } from "@butler/api";
import { digestOf } from "@butler/controller";
import type { Blocker, DynamicObject } from "@butler/resource";
import { describeError, endpointText } from "@butler/std";
import type { KnownEndpoint } from "../exposure/index.ts";
import type { KeepTenant } from "./effects.ts";
import type { Observed } from "./observed.ts";
import { statedTenantObjects } from "./stated-tenant-objects.ts";
import { kubernetesEndpoints } from "./render/kubernetes-endpoints.ts";
import { lastAnswers } from "./last-answers.ts";
import { textIn } from "./secrets/secret-data.ts";
import { secretName } from "./secrets/secret-names.ts";

/** The work inside the tenant. */
export interface TenantWork {
  /** The complete desired state, applied or not; undefined while it cannot be determined. */
  readonly wanted?: KeepTenant | undefined;
  /** Why it cannot be determined. */
  readonly blocker?: Blocker | undefined;
}

/** Determines the desired state inside the tenant. */
export function tenantWork(observed: Observed, endpoint: KnownEndpoint): TenantWork {
  const { tcp, secrets, service } = observed;
  const caPem = textIn(secrets.ca?.data ?? {}, "ca.crt");
  const clusterIP = (service as DynamicObject | undefined)?.["spec"] as { clusterIP?: string } | undefined;
  if (caPem === undefined || clusterIP?.clusterIP === undefined || secrets.admin === undefined) return {};
  const { uid, generation } = tcp.metadata;
  const host = clusterIP.clusterIP;
  const question = JSON.stringify([uid, generation, endpoint, host, caPem]);
  return remembered(secrets.admin.data, question, () => workFor(observed, { endpoint, caPem, host }));
}

/** Rendering all tenant objects takes longer than the rest of a plan. */
const remembered = lastAnswers<TenantWork>();

interface WorkInput {
  readonly endpoint: KnownEndpoint;
  readonly caPem: string;
  /** The address of the Service. */
  readonly host: string;
}

function workFor({ tcp, secrets }: Observed, { endpoint, caPem, host }: WorkInput): TenantWork {
  const { port } = tcp.spec.networkProfile;
  const server = `https://${endpointText({ host, port })}`;
  try {
    const objects = [
      ...statedTenantObjects(tcp, { endpoint, caPem }),
      ...kubernetesEndpoints(endpoint.advertiseAddress, port),
    ];
    const { namespace, uid = "" } = tcp.metadata;
    const kubeconfigs = { name: secretName(tcp.metadata, "admin"), namespace };
    const rules = rulesOf(tcp);
    const digest = digestOf({ objects, server, rules, credentials: digestOf(secrets.admin?.data ?? {}) });
    return { wanted: { type: "keepTenant", uid, kubeconfigs, server, objects, rules, digest } };
  } catch (error) {
    return { blocker: { reason: "InvalidSettings", message: describeError(error) } };
  }
}

/** How certificate requests of nodes are approved. */
function rulesOf({ spec: { addons, networkProfile } }: TenantControlPlane): KeepTenant["rules"] {
  const { allowedSubnets, csrApproval } = addons.workerBootstrap ?? {};
  return {
    serviceCidr: networkProfile.serviceCidr,
    ...(allowedSubnets === undefined ? {} : { allowedSubnets }),
    decidesRequests: csrApproval?.autoApprove ?? true,
  };
}
