import { AddonDefinition, IPAllocation, kubeconfigAccess, ProviderConfig, TenantAddon, User } from "@butler/api";
import {
  changeAddon,
  clusterKubeconfigRoute,
  createIdentityProvider,
  createNetwork,
  createPolicy,
  deleteAddon,
  deleteIdentityProvider,
  deleteUser,
  disableUser,
  enableAddon,
  getAddon,
  getCatalogEntry,
  getIdentityProvider,
  getProvider,
  getSettings,
  inviteUser,
  listAddons,
  listAllocations,
  listCatalog,
  listCertificates,
  listClusterEvents,
  listClusterNodes,
  listNetworks,
  listPolicies,
  listPresets,
  listProviders,
  listUsers,
  putSettings,
  reinviteUser,
  rollBackAddon,
  rotateCertificates,
  updateIdentityProvider,
  updateNetwork,
  updatePolicy,
} from "@butler/contract";
import { createAuthority } from "@butler/pki";
import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashInvitationToken } from "@butler/administration";
import { newObject } from "./handlers/writing.ts";
import { bindGroup, type Served } from "./testing/served.ts";
import { inside, makerIn, shop, startTwoTeams } from "./testing/two-teams.ts";

let served: Served;
let make: ReturnType<typeof makerIn>;

beforeAll(async () => {
  const addons = [{ name: "cilium", version: "1.18.2", status: "Healthy", managedBy: "butler" }];
  served = await startTwoTeams("server-resources", {
    server: { publicUrl: "https://butler.example.com/" },
    status: { observedState: { addons } },
  });
  make = makerIn(served);
});

afterAll(() => served?.stop());

const refusal = (code: string, rest: object = {}) => ({ code, ...rest });

describe("add-ons", () => {
  beforeAll(async () => {
    const entry = (name: string, platform: boolean) =>
      make(
        AddonDefinition,
        { name },
        {
          displayName: name.toUpperCase(),
          description: `Brings ${name}.`,
          category: platform ? "cni" : "backup",
          chart: { repository: "https://charts.example.com", name, defaultVersion: "1.0.0" },
          platform,
        },
      );
    await entry("velero", false);
    await entry("cilium", true);
    await eventually(() => served.server.state.definitions.size === 2);
  });

  it("are listed in the catalog", async () => {
    const page = await served.as("vera").call(listCatalog, { query: { platform: "false" } });
    expect(page).toMatchObject({
      addons: [{ name: "velero", defaultNamespace: "velero", source: "custom" }],
      total: 1,
    });
    expect(page.categories).toEqual([
      { name: "backup", count: 1 },
      { name: "cni", count: 1 },
    ]);
    await expect(served.as("vera").call(getCatalogEntry, { params: { name: "nothing" } })).rejects.toMatchObject(
      refusal("NOT_FOUND"),
    );
  });

  it("are installed, updated, rolled back and uninstalled by operators", async () => {
    const olga = served.as("olga");
    const params = { ...shop, addon: "velero-shop" };
    const values = { credentials: { password: "only-for-operators" } };
    expect(await olga.call(enableAddon, { params: shop, body: { addon: "velero", values } })).toMatchObject({
      name: "velero-shop",
      displayName: "VELERO",
      values,
    });
    await expect(olga.call(enableAddon, { params: shop, body: { addon: "cilium" } })).rejects.toMatchObject(
      refusal("REFUSED"),
    );
    await expect(olga.call(enableAddon, { params: shop, body: {} })).rejects.toMatchObject(refusal("INVALID"));
    expect((await olga.call(listAddons, { params: shop })).addons.map(({ name }) => name)).toEqual([
      "cilium",
      "velero-shop",
    ]);
    const seen = await served.as("vera").call(getAddon, { params });
    expect(JSON.stringify(seen)).not.toContain("only-for-operators");
    const changed = await olga.call(changeAddon, { params, body: { version: "1.1.0", values: { other: 1 } } });
    expect(changed).toMatchObject({ version: "1.1.0", values: { other: 1 } });
    expect(changed.values).not.toHaveProperty("credentials");
    expect(await olga.call(rollBackAddon, { params, body: { revision: 2 } })).toMatchObject({ rollbackTo: 2 });
    expect(await olga.call(rollBackAddon, { params, body: {} })).not.toHaveProperty("rollbackTo");
    await expect(served.as("vera").call(deleteAddon, { params })).rejects.toMatchObject(refusal("FORBIDDEN"));
    await olga.call(deleteAddon, { params });
    await eventually(() => served.server.state.addons.size === 0);
    expect(JSON.stringify(served.records)).not.toContain("only-for-operators");
    expect(
      served.records.find(({ action, resourceType }) => action === "create" && resourceType === TenantAddon.kind)
        ?.fields,
    ).toEqual(["addon", "values.credentials.password"]);
  });
});

describe("cluster details", () => {
  it("include events, newest first", async () => {
    const event = (name: string, namespace: string, about: { kind: string; name: string }, lastTimestamp: string) =>
      served.cluster.client.create(
        builtinKinds.Event,
        newObject(
          builtinKinds.Event,
          { name, namespace },
          {
            involvedObject: { ...about, namespace },
            reason: name,
            message: name,
            type: "Normal",
            lastTimestamp,
            firstTimestamp: lastTimestamp,
          },
        ),
      );
    await event("older", "payments", { kind: "TenantCluster", name: "shop" }, "2026-06-01T12:00:00Z");
    await event("newer", inside, { kind: "Machine", name: "shop-1" }, "2026-06-01T12:00:05Z");
    await event("another-cluster", "payments", { kind: "TenantCluster", name: "other" }, "2026-06-01T12:00:06Z");
    await eventually(
      () => served.server.state.eventsIn("payments").length === 2 && served.server.state.eventsIn(inside).length === 1,
    );
    const { events, total } = await served.as("vera").call(listClusterEvents, { params: shop });
    expect([events.map(({ reason }) => reason), total]).toEqual([["newer", "older"], 2]);
  });

  it("include the kubeconfig, for admins whom Kubernetes allows to read it", async () => {
    const { client } = served.cluster;
    await expect(served.as("ada").call(clusterKubeconfigRoute, { params: shop })).rejects.toMatchObject(
      refusal("FORBIDDEN"),
    );
    await bindGroup(client, {
      metadata: { name: "kubeconfig", namespace: inside },
      group: "butler:team:payments:admin",
      rules: [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["shop-kubeconfig"], verbs: ["get"] }],
    });
    await eventually(() =>
      served
        .as("ada")
        .call(clusterKubeconfigRoute, { params: shop })
        .catch((error: { code?: string }) => error.code === "CONFLICT"),
    );
    const value = Buffer.from("kind: Config").toString("base64");
    const kubeconfig = newObject(
      builtinKinds.Secret,
      { name: "shop-kubeconfig", namespace: inside },
      { data: { value } },
    );
    await client.create(builtinKinds.Secret, kubeconfig);
    expect(await served.as("ada").call(clusterKubeconfigRoute, { params: shop })).toEqual({
      kubeconfig: "kind: Config",
    });
    expect(served.records.at(-1)).toMatchObject({
      action: "download-kubeconfig",
      success: true,
      user: "ada@example.com",
    });
    await expect(served.as("olga").call(clusterKubeconfigRoute, { params: shop })).rejects.toMatchObject(
      refusal("FORBIDDEN", { hint: kubeconfigAccess.hint }),
    );
    await expect(served.as("vera").call(clusterKubeconfigRoute, { params: shop })).rejects.toMatchObject(
      refusal("FORBIDDEN"),
    );
    await expect(served.as("watcher").call(clusterKubeconfigRoute, { params: shop })).rejects.toMatchObject(
      refusal("FORBIDDEN"),
    );
    expect(served.records.at(-1)).toMatchObject({
      action: "download-kubeconfig",
      success: false,
      user: "watcher@example.com",
    });
    await expect(served.as("vera").call(listClusterNodes, { params: shop })).rejects.toMatchObject(
      refusal("NOT_FOUND"),
    );
  });

  it("include certificates, but never their keys", async () => {
    const { cert, key } = await createAuthority("shop");
    const data = { "ca.crt": Buffer.from(cert).toString("base64"), "ca.key": Buffer.from(key).toString("base64") };
    const labels = {
      "steward.butlerlabs.dev/project": "steward",
      "steward.butlerlabs.dev/name": "shop",
      "steward.butlerlabs.dev/component": "ca",
    };
    const secret = newObject(builtinKinds.Secret, { name: "shop-ca", namespace: inside, labels }, { data });
    await served.cluster.client.create(builtinKinds.Secret, secret);
    const answer = await served.as("vera").call(listCertificates, { params: shop });
    expect(answer).toMatchObject({
      certificateCount: 1,
      certificates: [{ isCA: true, secretName: "shop-ca", category: "ca" }],
      rotationInProgress: false,
    });
    expect(JSON.stringify(answer)).not.toContain("PRIVATE");
    const rotate = (who: string, body: { type: "all" | "ca" | "kubeconfigs"; acknowledge?: boolean }) =>
      served.as(who).call(rotateCertificates, { params: shop, body });
    expect(await rotate("olga", { type: "all" })).toMatchObject({ affectedSecrets: [] });
    await expect(rotate("olga", { type: "ca", acknowledge: true })).rejects.toMatchObject(refusal("FORBIDDEN"));
    await expect(rotate("ada", { type: "ca" })).rejects.toMatchObject(refusal("INVALID"));
    expect(await rotate("ada", { type: "ca", acknowledge: true })).toMatchObject({ affectedSecrets: ["shop-ca"] });
    await expect(rotate("ada", { type: "ca", acknowledge: true })).rejects.toMatchObject(refusal("CONFLICT"));
  });
});

describe("infrastructure", () => {
  it("is visible to the teams that can use it", async () => {
    const provider = (name: string, scope: object) =>
      make(ProviderConfig, { name, namespace: "butler-system" }, { provider: "local", scope });
    await provider("shared", { type: "platform" });
    await provider("theirs", { type: "team", teamRef: { name: "billing" } });
    await eventually(() => served.server.state.providers.size === 2);
    const names = async (who: string) =>
      (await served.as(who).call(listProviders, {})).providers.map(({ metadata }) => metadata.name);
    expect(await names("vera")).toEqual(["shared"]);
    expect(await names("eve")).toEqual(["shared", "theirs"]);
    await expect(
      served.as("vera").call(getProvider, { params: { namespace: "butler-system", name: "theirs" } }),
    ).rejects.toMatchObject(refusal("NOT_FOUND"));
  });

  it("has networks", async () => {
    const root = served.as("root");
    const params = { namespace: "butler-system", name: "datacenter" };
    expect(await root.call(createNetwork, { body: { name: "datacenter", cidr: "10.40.0.0/16" } })).toMatchObject({
      spec: { cidr: "10.40.0.0/16" },
    });
    await expect(root.call(createNetwork, { body: { name: "wrong", cidr: "10.40.0.0/99" } })).rejects.toMatchObject(
      refusal("REFUSED", { problem: { field: "spec.cidr" } }),
    );
    await root.call(updateNetwork, { params, body: { reserved: [{ cidr: "10.40.0.0/24" }] } });
    await make(
      IPAllocation,
      { name: "shop-lb", namespace: "butler-system" },
      { poolRef: { name: "datacenter" }, tenantClusterRef: shop, type: "loadbalancer" },
    );
    await eventually(() => served.server.state.allocations.size === 1);
    expect(await served.as("watcher").call(listAllocations, { params })).toMatchObject({ total: 1 });
    expect(await served.as("watcher").call(listNetworks, {})).toMatchObject({
      pools: [{ spec: { reserved: [{ cidr: "10.40.0.0/24" }] } }],
    });
  });
});

describe("accounts", () => {
  it("are invited with a token that is returned once, disabled and deleted", async () => {
    const root = served.as("root");
    await make(User, { name: "root" }, { email: "root@example.com", platformRole: "admin" });
    await eventually(() => served.server.state.users.size === 1);
    const invited = await root.call(inviteUser, { body: { email: "New.Person@Example.com", displayName: "New" } });
    expect(invited.user).toMatchObject({
      username: "new-person-example-com",
      email: "new.person@example.com",
      invitePending: true,
    });
    const token = invited.inviteUrl.replace("https://butler.example.com/invite/", "");
    const params = { user: invited.user.username };
    const stored = () => served.cluster.client.get(User, { name: params.user });
    expect((await stored()).status?.inviteTokenHash).toBe(hashInvitationToken(token));
    const listed = await served.as("watcher").call(listUsers, {});
    expect(JSON.stringify([listed, served.records])).not.toContain(token);
    expect(JSON.stringify(listed)).not.toContain(hashInvitationToken(token));
    await expect(root.call(inviteUser, { body: { email: "new.person@example.com" } })).rejects.toMatchObject(
      refusal("ALREADY_EXISTS"),
    );
    await root.call(reinviteUser, { params });
    expect((await stored()).status?.inviteTokenHash).not.toBe(hashInvitationToken(token));
    expect(await root.call(disableUser, { params })).toMatchObject({ disabled: true, phase: "Disabled" });
    await expect(root.call(disableUser, { params: { user: "root" } })).rejects.toMatchObject(refusal("CONFLICT"));
    await root.call(deleteUser, { params });
    await eventually(() => served.server.state.users.size === 1);
  });
});

describe("the platform", () => {
  it("has settings, without URLs that contain secrets for viewers", async () => {
    const root = served.as("root");
    expect(await root.call(getSettings, {})).toMatchObject({ spec: { multiTenancy: { mode: "Disabled" } } });
    const webhookURL = "https://hooks.example.com/secret-token";
    const set = await root.call(putSettings, {
      body: {
        spec: {
          multiTenancy: { mode: "Enforced" },
          notifications: { webhookURL },
          defaultTeamLimits: { maxClusters: 3, maxTotalCPU: "8" },
        },
      },
    });
    expect(set.spec.notifications).toEqual({ webhookURL });
    expect(JSON.stringify(await served.as("watcher").call(getSettings, {}))).not.toContain("secret-token");
    const changed = await root.call(putSettings, {
      body: { spec: { defaultTeamLimits: { maxClusters: 4 } }, resourceVersion: set.resourceVersion },
    });
    expect(changed.spec).toMatchObject({ multiTenancy: { mode: "Enforced" }, defaultTeamLimits: { maxClusters: 4 } });
    expect(changed.spec.defaultTeamLimits).not.toHaveProperty("maxTotalCPU");
    await expect(
      root.call(putSettings, { body: { spec: { multiTenancy: { mode: "Sometimes" } } } }),
    ).rejects.toMatchObject(refusal("REFUSED", { problem: { field: "spec.multiTenancy.mode" } }));
    await expect(
      root.call(putSettings, { body: { spec: {}, resourceVersion: set.resourceVersion } }),
    ).rejects.toMatchObject(refusal("CONFLICT"));
  });

  it("has policies", async () => {
    const root = served.as("root");
    const spec = {
      scope: { clusterWide: {} },
      options: { network: { mode: "pin" as const, values: ["default/vlan40"] } },
    };
    await root.call(createPolicy, { body: { name: "networks", spec } });
    const next = { ...spec, options: { image: { mode: "pin" as const, values: ["default/rocky"] } } };
    const changed = await root.call(updatePolicy, { params: { name: "networks" }, body: { spec: next } });
    expect(changed.spec.options).toEqual(next.options);
    expect(await served.as("watcher").call(listPolicies, {})).toMatchObject({ total: 1 });
  });

  it("has identity providers, and never returns their secrets", async () => {
    const root = served.as("root");
    const secret = () =>
      served.cluster.client.find(builtinKinds.Secret, { name: "company-oidc-secret", namespace: "butler-system" });
    const body = {
      name: "company",
      issuerURL: "https://login.example.com",
      clientID: "butler",
      clientSecret: "not-to-be-seen",
      redirectURL: "https://butler.example.com/api/auth/callback",
    };
    const made = await root.call(createIdentityProvider, { body });
    expect(made.spec.oidc).toMatchObject({ clientID: "butler", clientSecretRef: { name: "company-oidc-secret" } });
    expect((await secret())?.["data"]).toEqual({ "client-secret": Buffer.from("not-to-be-seen").toString("base64") });
    await root.call(updateIdentityProvider, {
      params: { name: "company" },
      body: { clientID: "butler-2", clientSecret: "another-secret" },
    });
    const seen = await served.as("watcher").call(getIdentityProvider, { params: { name: "company" } });
    expect(seen.spec.oidc?.clientID).toBe("butler-2");
    expect(JSON.stringify([made, seen, served.records])).not.toMatch(/not-to-be-seen|another-secret/);
    await expect(
      root.call(createIdentityProvider, { body: { ...body, name: "other", issuerURL: "https://a b" } }),
    ).rejects.toMatchObject(refusal("INVALID"));
    await root.call(deleteIdentityProvider, { params: { name: "company" } });
    expect(await secret()).toBeUndefined();
    expect((await root.call(listPresets, {})).presets.map(({ id }) => id)).toEqual([
      "google",
      "entra",
      "okta",
      "keycloak",
      "auth0",
      "generic",
    ]);
  });
});
