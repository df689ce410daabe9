import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { IdentityProvider, User } from "@butler/api";
import { createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { useHarness } from "../testing/harness.ts";

const harness = useHarness("butleradm-idp");
const at = "--console-url https://butler.example.com";
const find = (): Promise<IdentityProvider | undefined> =>
  harness.cluster.client.find(IdentityProvider, { name: "company" });
const secret = (): Promise<DynamicObject | undefined> =>
  harness.cluster.client.find(builtinKinds.Secret, { name: "company-oidc-secret", namespace: "butler-system" });

let server: Server | undefined;
let issuer = "";
let document: object = {};

beforeAll(async () => {
  const authority = await createAuthority("tests");
  const request = { commonName: "login", usages: ["server"], ipAddresses: ["127.0.0.1"] } as const;
  const { cert, key } = await issueCertificate(authority, request);
  const started = createServer({ cert, key }, (_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  issuer = `https://127.0.0.1:${(started.address() as AddressInfo).port}`;
  document = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
  await harness.write("ca.pem", authority.cert);
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

describe("butleradm idp", () => {
  it("lists presets without a cluster", async () => {
    const { stdout } = await harness.run("idp presets");
    expect(stdout).toMatch(/^keycloak +Keycloak +https:\/\/\{host\}\/realms\/\{realm\} +groups$/m);
    expect((await harness.run("idp presets -o wide")).stdout).toContain("Create a confidential client");
    expect((await harness.run("idp presets -o name")).stdout.split("\n")).toContain("entra");
  });

  it("tests an issuer before its provider exists", async () => {
    const good = await harness.run(`idp test --issuer-url ${issuer} --ca ca.pem`);
    expect(good).toMatchObject({ code: 0 });
    expect(good.stdout).toMatch(/^Token endpoint: +https:\/\/127\.0\.0\.1:\d+\/token$/m);
    const unknown = await harness.run(`idp test --issuer-url ${issuer}`);
    expect(unknown.code).not.toBe(0);
    expect(unknown.stdout).toMatch(/^Result: +invalid$/m);
    expect((await harness.run("idp test --issuer-url http://login.example.com")).stderr).toContain(
      "is not a valid HTTPS issuer URL",
    );
    expect((await harness.run("idp test")).code).toBe(2);
    expect((await harness.run(`idp test company --issuer-url ${issuer}`)).code).toBe(2);
    const found = await harness.run(`idp test --issuer-url ${issuer}/other --ca ca.pem -o json`);
    expect(JSON.parse(found.stdout)).toMatchObject({
      valid: false,
      message: "the issuer URL in the discovery document does not match",
    });
  });

  it("adds a provider with its secret, but never from the command line itself", async () => {
    expect((await harness.run("idp list")).stderr).toContain("No identity providers found");
    const words = `idp add company --preset keycloak --issuer-url ${issuer} --client-id butler --admin-group platform ${at}`;
    expect((await harness.run(`${words} --client-secret hunter2`)).code).toBe(2);
    expect((await harness.run(words)).stderr).toContain("--client-secret-file FILE");
    const dry = await harness.run(`${words} --client-secret-file - --dry-run`, { input: "hunter2\n" });
    expect(dry.stdout + dry.stderr).not.toContain("hunter2");
    expect((parse(dry.stdout) as IdentityProvider).spec).toMatchObject({
      displayName: "Keycloak",
      oidc: { redirectURL: "https://butler.example.com/api/auth/callback", groupsClaim: "groups" },
      platformRoleGroups: [{ name: "platform", role: "admin" }],
    });
    expect(await find()).toBeUndefined();
    expect(await secret()).toBeUndefined();
    const environment = { SSO_SECRET: "hunter2" };
    expect((await harness.run(`${words} --client-secret-env SSO_SECRET`, { environment })).code).toBe(0);
    expect((await find())?.spec.oidc?.clientSecretRef.name).toBe("company-oidc-secret");
    expect(await secret()).toMatchObject({ data: { "client-secret": "aHVudGVyMg==" } });
    expect((await harness.run(`${words} --client-secret-env SSO_SECRET`, { environment })).stderr).toContain("already");
  });

  it("rejects an invalid issuer", async () => {
    const words = `idp add other --client-id butler --client-secret-file - ${at}`;
    const input = "hunter2";
    expect((await harness.run(words, { input })).stderr).toContain("no issuer given");
    expect((await harness.run(`${words} --preset okta`, { input })).stderr).toContain(
      "placeholders in braces replaced",
    );
    expect((await harness.run(`${words} --preset nothing`, { input })).stderr).toContain('unknown preset "nothing"');
    expect((await harness.run("idp list -o name")).stdout).toBe("identityprovider/company\n");
  });

  it("lists and tests identity providers", async () => {
    await harness.report(IdentityProvider, { name: "company" }, { phase: "Ready" });
    expect((await harness.run("idp list")).stdout).toMatch(/^company +Keycloak +https:\/\/127\.0\.0\.1:\d+ +Ready /m);
    expect((await harness.run("idp test company --ca ca.pem")).code).toBe(0);
    expect((await harness.run("idp test nowhere")).stderr).toContain("identity provider nowhere not found");
  });

  it("removes an identity provider that no account uses", async () => {
    const spec = { email: "ada@example.com", authType: "sso", ssoProvider: "company" };
    await harness.create(User, { name: "ada" }, { spec });
    expect((await harness.run("idp remove company --yes")).stderr).toContain(
      "accounts sign in through company: ada@example.com",
    );
    expect((await harness.run("idp remove company --force")).code).toBe(2);
    expect((await harness.run("idp remove company --force --yes")).code).toBe(0);
    expect(await find()).toBeUndefined();
    expect(await secret()).toBeUndefined();
  });
});
