import { ControllerRuntime, type Interceptor } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { type MetricsRegistry, type Logger } from "@butler/telemetry";
import { quickQueue, runControllers, type TestCluster } from "@butler/testkit";
import { greetingController } from "./demo/controller.ts";
import { type Directory } from "./demo/directory.ts";
import { Greeting } from "./demo/greeting.ts";

export interface RunDemoOptions {
  readonly directory: Directory;
  readonly intercept?: Interceptor;
  readonly metrics?: MetricsRegistry;
  readonly logger?: Logger;
}

/** Runs the demonstration controller against a test cluster. */
export async function runDemo(cluster: TestCluster, { directory, ...options }: RunDemoOptions) {
  const caches = new CacheSet(cluster.client, options.metrics === undefined ? {} : { metrics: options.metrics });
  const runtime = new ControllerRuntime(greetingController, {
    client: cluster.client,
    caches,
    ports: { directory },
    queue: quickQueue,
    ...options,
  });
  return { runtime, caches, ...(await runControllers(caches, [runtime])) };
}

/** A greeting as a user would write it. */
export function aGreeting(namespace: string, text = "Hello"): KubeObject {
  const metadata = { name: "hello", namespace };
  return { apiVersion: Greeting.apiVersion, kind: Greeting.kind, metadata, spec: { text } } as KubeObject;
}

/** The remaining objects of a greeting in the cluster and in the directory, without values that differ between runs. */
export async function lookAround(cluster: TestCluster, namespace: string, directory: Directory): Promise<unknown> {
  const { client } = cluster;
  const [greetings, configMaps, secrets] = await Promise.all([
    client.list(Greeting, { namespace }),
    client.list(builtinKinds.ConfigMap, { namespace }),
    client.list(builtinKinds.Secret, { namespace }),
  ]);
  return {
    greetings: greetings.items.map(({ spec, status, metadata: { finalizers } }) => ({
      spec,
      finalizers,
      status: { ...status, conditions: status?.conditions?.map(({ lastTransitionTime: _time, ...rest }) => rest) },
    })),
    configMaps: configMaps.items.map(({ metadata: { name, ownerReferences }, ...rest }) => ({
      name,
      owner: ownerReferences?.[0]?.kind,
      data: rest["data"],
    })),
    secrets: secrets.items.map(({ metadata: { name }, ...rest }) => ({ name, keys: Object.keys(rest["data"] ?? {}) })),
    directory: [...directory.entries].map(([, entry]) => entry.text),
  };
}
