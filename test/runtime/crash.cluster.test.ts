import { crashAfterEverySideEffect, eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Directory } from "./demo/directory.ts";
import { Greeting } from "./demo/greeting.ts";
import { aGreeting, lookAround, runDemo } from "./run-demo.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [Greeting] });
});
afterAll(() => cluster?.stop());

/** A separate namespace and directory for each run, both of which outlive the controller. */
function crashScenariosFor(purpose: string, change: (namespace: string) => Promise<void>) {
  return async (run: number) => {
    const namespace = `${purpose}-${run}`;
    const directory = new Directory();
    await cluster.createNamespace(namespace);
    await cluster.client.create(Greeting, aGreeting(namespace));
    let isPrepared = purpose === "create";
    return {
      start: async (intercept: Parameters<typeof runDemo>[1]["intercept"]) => {
        if (!isPrepared) {
          isPrepared = true;
          await settleUndisturbed(namespace, directory);
          await change(namespace);
        }
        const demo = await runDemo(cluster, { directory, ...(intercept === undefined ? {} : { intercept }) });
        return { isSettled: () => isSettled(demo, namespace), stop: demo.kill };
      },
      snapshot: () => lookAround(cluster, namespace, directory),
      tearDown: async () => {
        await cluster.client
          .patch(Greeting, { name: "hello", namespace }, { type: "merge", patch: { metadata: { finalizers: null } } })
          .catch(() => undefined);
        await cluster.client.delete(Greeting, { name: "hello", namespace }).catch(() => undefined);
      },
    };
  };
}

async function settleUndisturbed(namespace: string, directory: Directory): Promise<void> {
  const demo = await runDemo(cluster, { directory });
  await eventually(() => isSettled(demo, namespace), { what: "a steady state before the change" });
  await demo.stop();
}

async function isSettled(demo: Awaited<ReturnType<typeof runDemo>>, namespace: string): Promise<boolean> {
  const live = await cluster.client.find(Greeting, { name: "hello", namespace });
  if (live === undefined) return demo.runtime.isIdle;
  const preview = await demo.runtime.preview({ name: "hello", namespace });
  return demo.runtime.isIdle && preview?.isSettled === true && live.metadata.deletionTimestamp === undefined;
}

describe("a controller stopped after each of its side effects", () => {
  it("completes a creation", async () => {
    const report = await crashAfterEverySideEffect(crashScenariosFor("create", () => Promise.resolve()));
    const verbs = report.sideEffects.map(({ verb, target }) => `${verb} ${target.replace(/ .*/, "")}`);
    expect(verbs).toEqual([
      "finalizer greetings.demo.butlerlabs.dev",
      "apply configmaps",
      "apply secrets",
      "perform reserve",
      "perform publish",
      "status greetings.demo.butlerlabs.dev",
      "status greetings.demo.butlerlabs.dev",
    ]);
    expect(report.endState).toMatchObject({
      directory: ["Hello"],
      greetings: [{ status: { publishedText: "Hello" } }],
    });
  });

  it("completes a change", async () => {
    const change = async (namespace: string): Promise<void> => {
      await cluster.client.patch(
        Greeting,
        { name: "hello", namespace },
        { type: "merge", patch: { spec: { text: "Bye" } } },
      );
    };
    const report = await crashAfterEverySideEffect(crashScenariosFor("change", change));
    expect(report.crashes).toBeGreaterThanOrEqual(3);
    expect(report.endState).toMatchObject({ directory: ["Bye"], greetings: [{ status: { publishedText: "Bye" } }] });
  });

  it("completes a deletion", async () => {
    const remove = (namespace: string): Promise<void> => cluster.client.delete(Greeting, { name: "hello", namespace });
    const report = await crashAfterEverySideEffect(crashScenariosFor("delete", remove));
    expect(report.sideEffects.map(({ verb }) => verb)).toEqual(["perform", "finalizer"]);
    expect(report.endState).toMatchObject({ directory: [], greetings: [] });
  });
});
