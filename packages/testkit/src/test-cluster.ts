import { allResources } from "@butler/api";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "@butler/engine";
import {
  type ApiClient,
  connect,
  installCrds,
  loadKubeConfig,
  type Transport,
  type TransportOptions,
} from "@butler/kube";
import { builtinKinds, type Resource } from "@butler/resource";
import { poolOf } from "./pool/cluster-pool.ts";
import { noteStarted } from "./tally.ts";

/** A control plane of a test, with a client that has all permissions. */
export interface TestCluster {
  readonly controlPlane: ControlPlane;
  readonly client: ApiClient;
  readonly transport: Transport;
  /** An additional client, for example with other timeouts. */
  connect(options: TransportOptions): ReturnType<typeof connect>;
  createNamespace(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** What a test file needs of its API server. By default it gets a reset one from the pool. */
export interface TestClusterOptions extends Pick<ControlPlaneOptions, "withControllerManager"> {
  /** Kinds whose CRDs are installed. With any of Butler's own, all of them are installed. */
  readonly resources?: readonly Resource[];
  /** An exclusive API server that is not reused, optionally with its own options: for files that stop or kill it. */
  readonly mine?: true | Omit<ControlPlaneOptions, "withControllerManager">;
}

/** Returns an empty cluster, from the pool if possible. Stop it in `afterAll`. */
export async function aTestCluster({
  resources = [],
  withControllerManager = false,
  mine,
}: TestClusterOptions = {}): Promise<TestCluster> {
  const { controlPlane, giveBack, served } =
    mine === undefined
      ? await borrow({
          withControllerManager,
          withKinds: resources.some((resource) => allResources.includes(resource)),
        })
      : await start({ ...(mine === true ? {} : mine), withControllerManager });
  const config = loadKubeConfig(controlPlane.kubeconfigPath);
  const clients: ReturnType<typeof connect>[] = [];
  const connectWith = (transportOptions: TransportOptions): ReturnType<typeof connect> => {
    const connected = connect(config, transportOptions);
    clients.push(connected);
    return connected;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(clients.splice(0).map((connected) => connected.close()));
    await giveBack();
  };
  try {
    const { client, transport } = connectWith({ userAgent: "butler-test" });
    await installCrds(
      client,
      resources.filter((resource) => !served.includes(resource)),
    );
    const createNamespace = async (name: string): Promise<void> => {
      await client.create(builtinKinds.Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    };
    return { controlPlane, client, transport, connect: connectWith, createNamespace, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Had {
  readonly controlPlane: ControlPlane;
  readonly served: readonly Resource[];
  readonly giveBack: () => Promise<void>;
}

async function borrow(flavour: { readonly withControllerManager: boolean; readonly withKinds: boolean }): Promise<Had> {
  const pool = poolOf(flavour);
  const plane = await pool.take();
  let isBack = false;
  const giveBack = async (): Promise<void> => {
    if (!isBack) pool.give(plane);
    isBack = true;
  };
  return { controlPlane: plane.controlPlane, served: flavour.withKinds ? allResources : [], giveBack };
}

async function start(options: ControlPlaneOptions): Promise<Had> {
  noteStarted("API server", options.name ?? "own");
  const controlPlane = await startControlPlane(options);
  return { controlPlane, served: [], giveBack: () => controlPlane.stop() };
}
