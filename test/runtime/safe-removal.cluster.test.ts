import { ControllerRuntime, defineController, type Interceptor, type Plan } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { builtinKinds, isBeingDeleted } from "@butler/resource";
import { aTestCluster, eventually, quickQueue, runControllers, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { greetingController } from "./demo/controller.ts";
import { Directory } from "./demo/directory.ts";
import { Greeting } from "./demo/greeting.ts";
import { type DemoEffect, directoryName, type Observed, plan } from "./demo/plan.ts";
import { aGreeting } from "./run-demo.ts";

const { ConfigMap } = builtinKinds;
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [Greeting] });
});
afterAll(() => cluster?.stop());

interface Other {
  readonly plan: (observed: Observed) => Plan<DemoEffect>;
  readonly directory?: Directory;
  readonly intercept?: Interceptor;
}

/** Runs the demonstration controller with another plan. */
function run({ plan: other, directory = new Directory(), ...options }: Other) {
  const { client } = cluster;
  const caches = new CacheSet(client);
  const controller = defineController({ ...greetingController, plan: other });
  const runtime = new ControllerRuntime(controller, {
    client,
    caches,
    ports: { directory },
    queue: quickQueue,
    ...options,
  });
  return runControllers(caches, [runtime]);
}

describe("the controller runtime", () => {
  it("keeps the finalizer until all dependents are deleted", async () => {
    const key = { name: "hello", namespace: "held" };
    await cluster.createNamespace(key.namespace);
    const directory = new Directory();
    let attempts = 0;
    directory.withdraw = () => Promise.reject(new Error(`closed for the ${++attempts}. time`));
    const running = await run({
      directory,
      plan: (observed) => {
        const { greeting } = observed;
        if (!isBeingDeleted(greeting)) return plan(observed);
        return { finalizer: "release", effects: [{ type: "withdraw", name: directoryName(greeting) }] };
      },
    });
    await cluster.client.create(Greeting, aGreeting(key.namespace));
    await eventually(() => directory.entries.get("held.hello")?.text !== undefined);
    await cluster.client.delete(Greeting, key);
    await eventually(() => attempts >= 2, { what: "a second attempt", timeoutMs: 10_000 });
    expect(await cluster.client.find(Greeting, key)).toBeDefined();
    directory.withdraw = Directory.prototype.withdraw.bind(directory);
    await eventually(async () => (await cluster.client.find(Greeting, key)) === undefined);
    expect(directory.entries.size).toBe(0);
    await running.stop();
  });

  it("does not delete a recreated object of the same name", async () => {
    const { client } = cluster;
    const key = { name: "old", namespace: "namesakes" };
    await cluster.createNamespace(key.namespace);
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: key };
    const { metadata } = await client.create(ConfigMap, object);
    await client.delete(ConfigMap, key);
    const namesake = await client.create(ConfigMap, object);
    let attempts = 0;
    const running = await run({
      plan: () => ({ finalizer: "none", remove: [{ kind: ConfigMap, ...key, uid: metadata.uid }] }),
      intercept: async (effect, work) => {
        try {
          return await work();
        } finally {
          if (effect.verb === "remove") attempts++;
        }
      },
    });
    await client.create(Greeting, aGreeting(key.namespace));
    await eventually(() => attempts > 0, { what: "an attempt" });
    expect((await client.find(ConfigMap, key))?.metadata.uid).toBe(namesake.metadata.uid);
    await running.stop();
  });
});
