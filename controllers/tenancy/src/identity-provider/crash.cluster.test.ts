import { IdentityProvider } from "@butler/api";
import type { Interceptor } from "@butler/controller";
import { builtinKinds } from "@butler/resource";
import { aSecret, crashAfterEverySideEffect, startAfterChange, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anIdentityProvider } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { identityProviderController } from "./controller.ts";
import { createIdentityProviderPorts } from "./ports.ts";
import { TestIssuer } from "./testing/test-issuer.ts";

let cluster: TestCluster;
let harness: TenancyHarness;
let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  cluster = await aTestCluster({ resources: [IdentityProvider] });
  await cluster.createNamespace("butler-system");
  harness = new TenancyHarness(cluster, [IdentityProvider]);
  const data = { "client-secret": "secret text" };
  await harness.create(builtinKinds.Secret, aSecret({ name: "company", namespace: "butler-system", data }));
});
afterAll(async () => {
  await harness?.tidy();
  await cluster?.stop();
  await issuer?.stop();
});

/** A separate provider for each run. */
async function crashScenarioOf(run: number, displayName?: string) {
  const key = { name: `company-${run}` };
  await harness.create(IdentityProvider, anIdentityProvider({ ...key, spec: { oidc: issuer.settings } }));
  const start = async (intercept?: Interceptor) => {
    const ports = createIdentityProviderPorts(cluster.client, { outgoing: { allowLoopback: true } });
    const options = intercept === undefined ? { ports } : { ports, intercept };
    const { runtime, kill } = await runController(cluster.client, identityProviderController, options);
    const isSettled = async (): Promise<boolean> => {
      const { metadata, status } = await cluster.client.get(IdentityProvider, key);
      const preview = await runtime.preview(key);
      return runtime.isIdle && preview?.isSettled === true && status?.observedGeneration === metadata.generation;
    };
    return { isSettled, stop: kill };
  };
  const change = () => harness.merge(IdentityProvider, key, { spec: { displayName } });
  return {
    start: startAfterChange(start, displayName === undefined ? undefined : change),
    snapshot: async () => {
      const { status } = await cluster.client.get(IdentityProvider, key);
      const conditions = status?.conditions?.map(({ type, status: holds, reason }) => `${type} ${holds} ${reason}`);
      return { phase: status?.phase, endpoints: status?.discoveredEndpoints, conditions: conditions?.sort() };
    },
    tearDown: () => harness.tidyAway(IdentityProvider, key),
  };
}

it.each([
  ["a new", undefined],
  ["a changed", "Company account"],
])("validates %s identity provider, wherever it is stopped", { timeout: 300_000 }, async (_which, displayName) => {
  const report = await crashAfterEverySideEffect((run) => crashScenarioOf(run, displayName));
  expect(report.sideEffects.map(({ verb }) => verb)).toEqual(["status"]);
  expect(report.endState).toMatchObject({
    phase: "Ready",
    endpoints: { tokenEndpoint: `${issuer.url}/token` },
    conditions: ["Discovered True IssuerAnswers", "Ready True Ready", "SecretValid True Found"],
  });
});
