import { IdentityProvider } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { aSecret, eventually, FakeClock, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anIdentityProvider } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { identityProviderController } from "./controller.ts";
import { freshMs } from "./plan.ts";
import { createIdentityProviderPorts } from "./ports.ts";
import { TestIssuer } from "./testing/test-issuer.ts";

const { Secret } = builtinKinds;
const namespace = "butler-system";
const company = { name: "company" };

let cluster: TestCluster;
let harness: TenancyHarness;
let issuer: TestIssuer;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [IdentityProvider] });
  await cluster.createNamespace(namespace);
  harness = new TenancyHarness(cluster, [IdentityProvider]);
});
beforeEach(async () => {
  issuer = await TestIssuer.start();
  harness.later(() => issuer.stop());
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

async function run(client: ApiClient = cluster.client) {
  const clock = new FakeClock();
  const ports = createIdentityProviderPorts(client, { clock, outgoing: { allowLoopback: true } });
  const running = await runController(client, identityProviderController, { ports, clock });
  harness.later(() => running.stop());
  return { ...running, clock };
}

async function putSecret(data: Record<string, string> = { "client-secret": "secret text" }): Promise<void> {
  await harness.create(Secret, aSecret({ ...company, namespace, data }));
  harness.later(() => cluster.client.delete(Secret, { ...company, namespace }).catch(() => undefined));
}

const make = (oidc: object = issuer.settings) =>
  harness.create(IdentityProvider, anIdentityProvider({ spec: { oidc } }));
const phase = async (reason: string) => (await harness.ready(IdentityProvider, company, reason)).status;

describe("an identity provider", () => {
  it("is ready when its issuer responds and its secret exists, with only the declared permissions", async () => {
    await make();
    const { runtime } = await run(await harness.asController(identityProviderController));
    expect(await phase("SecretInvalid")).toMatchObject({
      phase: "Failed",
      message: "Secret butler-system/company not found; create it, or correct spec.oidc.clientSecretRef",
    });
    await putSecret();
    expect(await phase("Ready")).toMatchObject({
      phase: "Ready",
      observedGeneration: 1,
      discoveredEndpoints: {
        authorizationEndpoint: `${issuer.url}/authorize`,
        tokenEndpoint: `${issuer.url}/token`,
        userInfoEndpoint: `${issuer.url}/me`,
        jwksURI: `${issuer.url}/keys`,
      },
    });
    await harness.merge(Secret, { ...company, namespace }, { data: { "client-secret": null } });
    await phase("SecretInvalid");
    await eventually(() => runtime.isIdle, { what: "rest" });
    // Despite changes in the meantime: a recent response is still cached.
    expect(issuer.asked).toBe(1);
  });

  it("is checked again soon after a failure, later after a success", async () => {
    issuer.status = 502;
    await putSecret();
    await make();
    const { clock, written, runtime } = await run();
    expect(await phase("IssuerFault")).toMatchObject({ phase: "Failed", message: "the issuer returned HTTP 502" });
    issuer.status = 200;
    await eventually(() => runtime.isIdle && clock.pending > 0, { what: "the next check" });
    clock.advance(freshMs.bad);
    const { lastValidatedTime } = (await phase("Ready")) ?? {};
    expect(lastValidatedTime).toBe("2026-01-01T00:00:30Z");
    const [asked, wrote] = [issuer.asked, written.length];
    await eventually(() => runtime.isIdle, { what: "rest" });
    clock.advance(freshMs.good);
    await eventually(() => issuer.asked > asked && runtime.isIdle, { what: "the check after that" });
    expect(written.slice(wrote)).toEqual([]);
    issuer.status = 404;
    clock.advance(freshMs.good);
    expect(await phase("IssuerFault")).toMatchObject({ message: "the issuer returned HTTP 404", lastValidatedTime });
  });

  it("is validated by its certificate and its issuer name", async () => {
    await putSecret();
    await make({ issuerURL: issuer.url });
    await run();
    expect((await phase("IssuerFault"))?.message).toMatch(/failed to query the issuer: .*certificate/);
    const oidc = { ...issuer.settings, issuerURL: `${issuer.url}/` };
    await harness.merge(IdentityProvider, company, { spec: { oidc } });
    expect((await phase("IssuerFault"))?.message).toBe("the issuer URL in the discovery document does not match");
    await harness.merge(IdentityProvider, company, { spec: { oidc: issuer.settings } });
    expect(await phase("Ready")).toMatchObject({ phase: "Ready" });
  });

  it("is not followed to internal addresses", async () => {
    await putSecret();
    await make();
    const ports = createIdentityProviderPorts(cluster.client);
    const running = await runController(cluster.client, identityProviderController, { ports });
    harness.later(() => running.stop());
    expect((await phase("IssuerFault"))?.message).toMatch(/^failed to query the issuer: \S+ is unreachable/);
    expect(issuer.asked).toBe(0);
  });
});
