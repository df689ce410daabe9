import { parseArgs } from "node:util";
import { Cluster } from "@butler/api-external";
import { ControllerRuntime, SingletonRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { InvalidInput } from "@butler/std";
import {
  controlPlaneAdmission,
  createControlPlaneProviderPorts,
  createDataStorePorts,
  createStoreConnections,
  createTenantControlPlanePorts,
  dataStoreAdmission,
  dataStoreController,
  defaultDataStoreSingleton,
  type DefaultDataStoreSettings,
  optionalExposureKinds,
  stewardControlPlaneController,
  type StewardSettings,
  tenantControlPlaneAdmission,
  tenantControlPlaneController,
  TenantSides,
} from "@butler/steward";
import { admissionAt } from "./admission/admission-flag.ts";
import { dataStoreFlags, providedDataStore } from "./data-store-flags.ts";
import type { Role, RoleContext } from "./role.ts";
import { runControllers } from "./run-controllers.ts";

/** Kinds of other projects that may be installed and removed at any time. */
const optionalKinds = [...optionalExposureKinds, Cluster];

const options = {
  "default-data-store": { type: "string", default: "default" },
  "management-domain": { type: "string", default: "cluster.local" },
  "sni-gateway-port": { type: "string" },
  /**
   * `namespace/name` of the Service through which the API server calls the webhooks; without it there is no admission.
   */
  "admission-service": { type: "string" },
  ...dataStoreFlags,
} as const;

/** Steward: TenantControlPlanes, DataStores, and the Cluster API control plane provider. */
export function steward(argv: readonly string[], context: RoleContext): Role {
  const { values } = parseArgs({ args: [...argv], options });
  const settings = settingsOf(values);
  const provided = providedDataStore(values, settings.defaultDataStore);
  const { client } = context;
  const { defaultDataStore } = settings;
  const admission = admissionAt(
    values["admission-service"],
    () => [
      ...tenantControlPlaneAdmission({ client, defaultDataStore }),
      dataStoreAdmission(client),
      ...controlPlaneAdmission,
    ],
    context,
  );
  const caches = new CacheSet(client, { logger: context.logger, metrics: context.metrics, optionalKinds });
  return {
    run: (signal) => runSteward({ settings, provided, caches, context }, signal),
    attend: async (signal) => admission?.run(signal),
    isReady: () => caches.isHealthy,
    waitsFor: () => caches.faults,
    isAttending: () => admission?.isReady ?? true,
  };
}

interface Work {
  readonly settings: StewardSettings;
  /** The default DataStore that Steward creates; undefined if Steward does not manage it. */
  readonly provided: DefaultDataStoreSettings | undefined;
  readonly caches: CacheSet;
  readonly context: RoleContext;
}

async function runSteward({ settings, provided, caches, context }: Work, signal: AbortSignal): Promise<void> {
  const { client, logger, metrics } = context;
  const connections = createStoreConnections({ client });
  const tenantSides = new TenantSides({ logger, metrics });
  const { defaultDataStore } = settings;
  const controller = tenantControlPlaneController({ optionalKinds: optionalExposureKinds, defaultDataStore });
  const common = { client, caches, logger, metrics };
  const ports = createTenantControlPlanePorts({ client, caches, connections, tenantSides, settings });
  const runtimes = [
    new ControllerRuntime(controller, { ...common, ports }),
    new ControllerRuntime(dataStoreController, { ...common, ports: createDataStorePorts(client, connections) }),
    new ControllerRuntime(stewardControlPlaneController, { ...common, ports: createControlPlaneProviderPorts(client) }),
    ...(provided === undefined
      ? []
      : [new SingletonRuntime(defaultDataStoreSingleton, { ...common, ports: { client, settings: provided } })]),
  ];
  try {
    await runControllers(caches, runtimes, signal);
  } finally {
    await tenantSides.close();
    connections.close();
  }
}

function settingsOf(
  values: { [name in "default-data-store" | "management-domain"]: string } & { "sni-gateway-port"?: string },
): StewardSettings {
  const port = values["sni-gateway-port"];
  if (port !== undefined && !/^[1-9]\d{0,4}$/.test(port))
    throw new InvalidInput(`--sni-gateway-port ${port} is not a valid port`);
  return {
    defaultDataStore: values["default-data-store"],
    managementDomain: values["management-domain"],
    ...(port === undefined ? {} : { sniGatewayPort: Number(port) }),
  };
}
