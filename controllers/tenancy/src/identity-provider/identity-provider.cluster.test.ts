import { IdentityProvider } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { aSecret, eventually, FakeClock, startTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anIdentityProvider } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyWorld } from "../shared/testing/tenancy-world.ts";
import { identityProviderController } from "./controller.ts";
import { freshMs } from "./plan.ts";
import { createIdentityProviderPorts } from "./ports.ts";
import { TestIssuer } from "./testing/test-issuer.ts";

const { Secret } = builtinKinds;
const namespace = "butler-system";
const company = { name: "company" };

let cluster: TestCluster;
let world: TenancyWorld;
let issuer: TestIssuer;

beforeAll(async () => {
  cluster = await startTestCluster({ name: "identity-provider", resources: [IdentityProvider] });
  await cluster.createNamespace(namespace);
  world = new TenancyWorld(cluster, [IdentityProvider]);
});
beforeEach(async () => {
  issuer = await TestIssuer.start();
  world.later(() => issuer.stop());
});
afterEach(() => world?.tidy());
afterAll(() => cluster?.stop());

async function run(client: ApiClient = cluster.client) {
  const clock = new FakeClock();
  const ports = createIdentityProviderPorts(client, { clock, outgoing: { allowLoopback: true } });
  const running = await runController(client, identityProviderController, { ports, clock });
  world.later(() => running.stop());
  return { ...running, clock };
}

async function putSecret(data: Record<string, string> = { "client-secret": "secret text" }): Promise<void> {
  await world.create(Secret, aSecret({ ...company, namespace, data }));
  world.later(() => cluster.client.delete(Secret, { ...company, namespace }).catch(() => undefined));
}

const make = (oidc: object = issuer.settings) => world.create(IdentityProvider, anIdentityProvider({ spec: { oidc } }));
const phase = async (reason: string) => (await world.ready(IdentityProvider, company, reason)).status;

describe("an identity provider", () => {
  it("is ready when its issuer answers and its secret is there, with just the rights that are declared", async () => {
    await make();
    const { runtime } = await run(await world.asController(identityProviderController));
    expect(await phase("SecretInvalid")).toMatchObject({
      phase: "Failed",
      message: "Secret butler-system/company does not exist; create it, or correct spec.oidc.clientSecretRef",
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
    await world.merge(Secret, { ...company, namespace }, { data: { "client-secret": null } });
    await phase("SecretInvalid");
    await eventually(() => runtime.isIdle, { what: "rest" });
    // However often something changed meanwhile: what it said a moment ago still holds.
    expect(issuer.asked).toBe(1);
  });

  it("is looked at again: soon when something is wrong, later when all is well", async () => {
    issuer.status = 502;
    await putSecret();
    await make();
    const { clock, written, runtime } = await run();
    expect(await phase("IssuerFault")).toMatchObject({ phase: "Failed", message: "the issuer answers 502" });
    issuer.status = 200;
    await eventually(() => runtime.isIdle && clock.pending > 0, { what: "the next look" });
    clock.advance(freshMs.bad);
    const { lastValidatedTime } = (await phase("Ready")) ?? {};
    expect(lastValidatedTime).toBe("2026-01-01T00:00:30Z");
    const [asked, wrote] = [issuer.asked, written.length];
    await eventually(() => runtime.isIdle, { what: "rest" });
    clock.advance(freshMs.good);
    await eventually(() => issuer.asked > asked && runtime.isIdle, { what: "the look after" });
    expect(written.slice(wrote)).toEqual([]);
    issuer.status = 404;
    clock.advance(freshMs.good);
    expect(await phase("IssuerFault")).toMatchObject({ message: "the issuer answers 404", lastValidatedTime });
  });

  it("is judged by its certificate, and by the name that it calls itself", async () => {
    await putSecret();
    await make({ issuerURL: issuer.url });
    await run();
    expect((await phase("IssuerFault"))?.message).toMatch(/does not answer as it should: .*certificate/);
    const oidc = { ...issuer.settings, issuerURL: `${issuer.url}/` };
    await world.merge(IdentityProvider, company, { spec: { oidc } });
    expect((await phase("IssuerFault"))?.message).toBe("the issuer calls itself something else");
    await world.merge(IdentityProvider, company, { spec: { oidc: issuer.settings } });
    expect(await phase("Ready")).toMatchObject({ phase: "Ready" });
  });

  it("is not followed to places that nobody outside should be asked about", async () => {
    await putSecret();
    await make();
    const ports = createIdentityProviderPorts(cluster.client);
    const running = await runController(cluster.client, identityProviderController, { ports });
    world.later(() => running.stop());
    expect((await phase("IssuerFault"))?.message).toContain("this address is not asked");
    expect(issuer.asked).toBe(0);
  });
});
