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

/** A control plane of a test's own, with a client that may do everything. */
export interface TestCluster {
  readonly controlPlane: ControlPlane;
  readonly client: ApiClient;
  readonly transport: Transport;
  /** A further client, for example with other time limits. */
  connect(options: TransportOptions): ReturnType<typeof connect>;
  createNamespace(name: string): Promise<void>;
  stop(): Promise<void>;
}

export interface TestClusterOptions extends ControlPlaneOptions {
  readonly name: string;
  /** Kinds whose CRDs are installed. */
  readonly resources?: readonly Resource[];
}

/** Starts a control plane for a test. Stop it in `afterAll`. */
export async function startTestCluster({ resources = [], ...options }: TestClusterOptions): Promise<TestCluster> {
  const controlPlane = await startControlPlane(options);
  const config = loadKubeConfig(controlPlane.kubeconfigPath);
  const clients: ReturnType<typeof connect>[] = [];
  const connectWith = (transportOptions: TransportOptions): ReturnType<typeof connect> => {
    const connected = connect(config, transportOptions);
    clients.push(connected);
    return connected;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(clients.map((connected) => connected.close()));
    await controlPlane.stop();
  };
  try {
    const { client, transport } = connectWith({ userAgent: "butler-test" });
    await installCrds(client, resources);
    const createNamespace = async (name: string): Promise<void> => {
      await client.create(builtinKinds.Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    };
    return { controlPlane, client, transport, connect: connectWith, createNamespace, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
