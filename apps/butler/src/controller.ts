import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { catalogSingleton, createAddonControllers } from "@butler/addon-controllers";
import { namespaces } from "@butler/api";
import { ControllerRuntime, SingletonRuntime } from "@butler/controller";
import { CacheSet, type KubeClient } from "@butler/kube";
import { createNetworkControllers, optionalNetworkKinds, startTenantLoadBalancers } from "@butler/network";
import { providerKinds } from "@butler/provider";
import { builtinKinds, type ObjectKey } from "@butler/resource";
import { isRecord } from "@butler/std";
import type { OutgoingRules } from "@butler/std/outgoing";
import { clusterApiKinds, createPlatformControllers, tenantClusterController } from "@butler/tenancy";
import { secretKubeconfigs, TenantClients } from "@butler/tenant-clients";
import { admissionAt } from "./admission/admission-flag.ts";
import { platformAdmission } from "./admission/platform-admission.ts";
import { machineProviders } from "./machine-providers.ts";
import { outgoingFlags, outgoingRules } from "./outgoing.ts";
import type { Role, RoleContext } from "./role.ts";
import { runControllers } from "./run-controllers.ts";

const options = {
  /**
   * `namespace/name` of the Service through which the API server calls the webhooks; without it there is no admission.
   */
  "admission-service": { type: "string" },
  /** The helm program that installs add-ons. */
  helm: { type: "string", default: "/usr/local/bin/helm" },
  /** Whether the process may apply any object of a ManagementAddon's chart to its own cluster. */
  "management-addons": { type: "boolean", default: false },
  /** Whether Butler's built-in add-ons are added to the catalog. */
  catalog: { type: "boolean", default: false },
  ...outgoingFlags,
} as const;

/** Kinds of other projects that may be installed and removed at any time. Teams, users and pools work without them. */
const optionalKinds = [...clusterApiKinds, ...providerKinds(machineProviders), ...optionalNetworkKinds];

/** Controllers of tenant clusters, their teams, and their addresses. */
export function controller(argv: readonly string[], context: RoleContext): Role {
  const { values } = parseArgs({ args: [...argv], options });
  const { client, logger, metrics } = context;
  const place = values["admission-service"];
  // The server runs in the controllers' namespace, and authorizes users before it writes under its own account.
  const trustedUsernames = [`system:serviceaccount:${place?.split("/")[0] ?? namespaces.system}:butler-server`];
  const judges = () => platformAdmission({ client, trustedUsernames });
  const admission = admissionAt(place, judges, context);
  const caches = new CacheSet(client, { logger, metrics, optionalKinds });
  const outgoing = outgoingRules(values, client);
  return {
    run: (signal) =>
      runTenancy(
        caches,
        {
          ...context,
          outgoing,
          helm: values.helm,
          isManaging: values["management-addons"],
          hasCatalog: values.catalog,
        },
        signal,
      ),
    attend: async (signal) => admission?.run(signal),
    isReady: () => caches.isHealthy,
    waitsFor: () => caches.faults,
    isAttending: () => admission?.isReady ?? true,
  };
}

/** The role's environment and its add-on settings. */
interface TenancyContext extends RoleContext {
  readonly outgoing: OutgoingRules;
  readonly helm: string;
  readonly isManaging: boolean;
  readonly hasCatalog: boolean;
}

/** Directory and size limit of fetched charts; the pod's temporary directory is deleted with the pod. */
const chartFolder = join(tmpdir(), "butler-charts");
const chartLimits = { storeBytes: 512 * 1024 * 1024 };

async function runTenancy(caches: CacheSet, context: TenancyContext, signal: AbortSignal): Promise<void> {
  const { client, logger, metrics } = context;
  const common = { client, caches, logger, metrics };
  const kubeconfigs = secretKubeconfigs({ client });
  const tenants = new TenantClients({ source: kubeconfigs, logger, metrics });
  const runtimes = [
    new ControllerRuntime(tenantClusterController({ machineProviders }), {
      ...common,
      ports: { readSecret: secretReader(client) },
    }),
    ...(context.hasCatalog ? [new SingletonRuntime(catalogSingleton, { ...common, ports: { client } })] : []),
    ...createPlatformControllers(common, context.outgoing),
    ...createNetworkControllers(common),
    startTenantLoadBalancers({ ...common, tenants }),
    ...createAddonControllers({
      ...common,
      tenants,
      kubeconfigs,
      helmProgram: context.helm,
      chartFolder,
      charts: { limits: chartLimits, network: { rules: context.outgoing } },
      management: context.isManaging ? context.config : undefined,
    }),
  ];
  try {
    await runControllers(caches, runtimes, signal);
  } finally {
    await tenants.close();
  }
}

function secretReader(client: Pick<KubeClient, "find">) {
  return async (key: ObjectKey, signal: AbortSignal): Promise<Readonly<Record<string, string>> | undefined> => {
    const secret = await client.find(builtinKinds.Secret, key, signal);
    const data = secret?.["data"];
    if (secret === undefined) return undefined;
    const entries = isRecord(data) ? Object.entries(data) : [];
    return Object.fromEntries(entries.map(([name, text]) => [name, Buffer.from(String(text), "base64").toString()]));
  };
}
