import { parseArgs } from "node:util";
import { tenantNamespaceRules } from "@butler/access";
import { labels } from "@butler/api";
import {
  Cluster,
  KubeadmConfigTemplate,
  kubeconfigSecretName,
  Machine,
  MachineDeployment,
  MachineSet,
} from "@butler/api-external";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet, type KubeClient } from "@butler/kube";
import { optionalNetworkKinds, startNetworkControllers, startTenantLoadBalancers } from "@butler/network";
import { builtinKinds, type ObjectKey } from "@butler/resource";
import { isRecord } from "@butler/std";
import {
  type AccessDecision,
  providerKinds,
  startPlatformControllers,
  supportedSystems,
  tenancyAdmission,
  tenantClusterController,
  tenantNamespaceBindings,
} from "@butler/tenancy";
import { secretKubeconfigs, TenantClients } from "@butler/tenant";
import { admissionAt } from "./admission/admission-flag.ts";
import type { Role, RoleWorld } from "./role.ts";
import { runControllers } from "./run-controllers.ts";
import { findServedKinds, noticeNewKinds } from "./served-kinds.ts";

const options = {
  /** `namespace/name` of the Service through which the API server asks; without it nothing is judged. */
  "admission-service": { type: "string" },
} as const;

/** Without all of these there can be no tenant clusters; teams, people and pools there can. */
const clusterApiKinds = [Cluster, Machine, MachineDeployment, MachineSet, KubeadmConfigTemplate];

/** Kinds of others that there may be, or not yet. */
const optionalKinds = [...clusterApiKinds, ...providerKinds, ...optionalNetworkKinds];

/** Tenant clusters, the teams that they belong to, and their addresses. */
export function controller(argv: readonly string[], world: RoleWorld): Role {
  const { values } = parseArgs({ args: [...argv], options });
  const { client, logger, metrics } = world;
  const place = values["admission-service"];
  const admission = admissionAt(place, () => tenancyAdmission({ client, supportedSystems }), world);
  const caches = new CacheSet(client, { logger, metrics });
  return {
    run: (signal) => runTenancy(caches, world, signal),
    attend: async (signal) => admission?.run(signal),
    isReady: () => caches.isHealthy,
    isAttending: () => admission?.isReady ?? true,
  };
}

async function runTenancy(caches: CacheSet, world: RoleWorld, signal: AbortSignal): Promise<void> {
  const { client, logger, metrics } = world;
  const served = await findServedKinds(client, optionalKinds, signal);
  const common = { client, caches, logger, metrics };
  const hasClusterApi = clusterApiKinds.every((kind) => served.includes(kind));
  if (!hasClusterApi) logger.warn("Cluster API is not installed: tenant clusters wait for it");
  const servedKinds = providerKinds.filter((kind) => served.includes(kind));
  const tenantClusters = () =>
    new ControllerRuntime(tenantClusterController({ servedKinds, access }), {
      ...common,
      ports: { servedKinds, readSecret: secretReader(client) },
    });
  const tenants = new TenantClients({ source: secretKubeconfigs({ client }), logger, metrics });
  const runtimes = [
    ...(hasClusterApi ? [tenantClusters()] : []),
    ...startPlatformControllers(common),
    ...startNetworkControllers({
      ...common,
      servedKinds: optionalNetworkKinds.filter((kind) => served.includes(kind)),
    }),
    startTenantLoadBalancers({ ...common, tenants }),
  ];
  const notice = { run: () => noticeNewKinds(client, { kinds: optionalKinds, served, signal }) };
  try {
    await runControllers(caches, [...runtimes, notice], signal);
  } finally {
    await tenants.close();
  }
}

/** People of a team see what their clusters are made of; those who run them also get the administrator's kubeconfig. */
const access: AccessDecision = {
  grants: ({ team, cluster }) =>
    team === undefined ? [] : tenantNamespaceBindings(team, cluster.metadata.labels?.[labels.environment]),
  rules: (role, cluster) => tenantNamespaceRules(role, [kubeconfigSecretName(cluster)]),
};

function secretReader(client: Pick<KubeClient, "find">) {
  return async (key: ObjectKey, signal: AbortSignal): Promise<Readonly<Record<string, string>> | undefined> => {
    const secret = await client.find(builtinKinds.Secret, key, signal);
    const data = secret?.["data"];
    if (secret === undefined) return undefined;
    const entries = isRecord(data) ? Object.entries(data) : [];
    return Object.fromEntries(entries.map(([name, text]) => [name, Buffer.from(String(text), "base64").toString()]));
  };
}
