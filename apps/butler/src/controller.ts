import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tenantNamespaceRules } from "@butler/access";
import { provideCatalog, startAddonControllers } from "@butler/addon-controllers";
import { labels, namespaces } from "@butler/api";
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
  /** The helm program, which add-ons are installed with. */
  helm: { type: "string", default: "/usr/local/bin/helm" },
  /** Whether the process may do on its own cluster whatever the chart of a ManagementAddon wants. */
  "management-addons": { type: "boolean", default: false },
  /** Whether the add-ons that come with Butler are put into the catalogue. */
  catalog: { type: "boolean", default: false },
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
  // The server is where the controllers are, and judges people before it writes in its own name.
  const trustedUsernames = [`system:serviceaccount:${place?.split("/")[0] ?? namespaces.system}:butler-server`];
  const judges = () => tenancyAdmission({ client, supportedSystems, trustedUsernames });
  const admission = admissionAt(place, judges, world);
  const caches = new CacheSet(client, { logger, metrics });
  return {
    run: (signal) =>
      runTenancy(
        caches,
        { ...world, helm: values.helm, isManaging: values["management-addons"], hasCatalog: values.catalog },
        signal,
      ),
    attend: async (signal) => admission?.run(signal),
    isReady: () => caches.isHealthy,
    isAttending: () => admission?.isReady ?? true,
  };
}

/** What the role has around it, and what it was told about add-ons. */
interface TenancyWorld extends RoleWorld {
  readonly helm: string;
  readonly isManaging: boolean;
  readonly hasCatalog: boolean;
}

/** Where fetched charts are kept, and how much of them: what is in a pod's folder for temporary files goes with it. */
const chartFolder = join(tmpdir(), "butler-charts");
const chartLimits = { storeBytes: 512 * 1024 * 1024 };

async function runTenancy(caches: CacheSet, world: TenancyWorld, signal: AbortSignal): Promise<void> {
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
  const kubeconfigs = secretKubeconfigs({ client });
  const tenants = new TenantClients({ source: kubeconfigs, logger, metrics });
  const runtimes = [
    ...(hasClusterApi ? [tenantClusters()] : []),
    ...startPlatformControllers(common),
    ...startNetworkControllers({
      ...common,
      servedKinds: optionalNetworkKinds.filter((kind) => served.includes(kind)),
    }),
    startTenantLoadBalancers({ ...common, tenants }),
    ...startAddonControllers({
      ...common,
      tenants,
      kubeconfigs,
      helmProgram: world.helm,
      chartFolder,
      charts: { limits: chartLimits },
      management: world.isManaging ? world.config : undefined,
    }),
  ];
  const notice = { run: () => noticeNewKinds(client, { kinds: optionalKinds, served, signal }) };
  const catalog = { run: () => (world.hasCatalog ? provideCatalog({ client, logger }, signal) : Promise.resolve()) };
  try {
    await runControllers(caches, [...runtimes, notice, catalog], signal);
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
