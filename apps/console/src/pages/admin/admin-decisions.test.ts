import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import { auditQuery, auditSearch, filterCount } from "./audit/audit-search.ts";
import { verifiedWords } from "./audit/verify-facts.ts";
import { safeLinks } from "./catalog/safe-links.ts";
import { controlPlaneState } from "./control-planes/control-plane-state.ts";
import { fleetNumbers, minorVersionOf, problemsOf, sharesOf } from "./fleet/fleet-facts.ts";
import { identityFaults, issuerTestBody, newIdentityBody, presetForm } from "./identity/identity-form.ts";
import { policyFaults, policyForm, policySpec, ruleWords, scopeWords } from "./policies/policy-form.ts";
import {
  providerFaults,
  providerKinds,
  providerManifest,
  type ProviderType,
  secretCommand,
} from "./providers/provider-manifest.ts";
import { sectionChange, sectionFaults, sectionForm, settingSections } from "./settings/settings-sections.ts";
import { selectRows } from "./shared/list-search.ts";
import { teamDeletion, teamFaults } from "./teams/team-facts.ts";
import { invitationBody, userActions, type UserView } from "./users/user-facts.ts";

const user: UserView = {
  username: "grace",
  email: "grace@example.com",
  displayName: "Grace",
  phase: "Active",
  disabled: false,
  authType: "internal",
  isPlatformAdmin: false,
  platformRole: "",
  teams: [],
  invitePending: false,
};

describe("users", () => {
  it.each([
    [{}, ["invite", "disable", "end-sessions", "delete"]],
    [{ disabled: true }, ["enable", "end-sessions", "delete"]],
    [{ authType: "sso" as const }, ["disable", "end-sessions", "delete"]],
    [{ email: "ADA@example.com" }, ["invite"]],
  ])("with %j offer the actions %j", (change, actions) => {
    expect(userActions({ ...user, ...change }, "ada@example.com")).toEqual(actions);
  });

  it("are invited with the filled-in fields only", () => {
    const form = { email: " grace@example.com ", displayName: " ", platformRole: "viewer" } as const;
    expect(invitationBody(form)).toEqual({ email: "grace@example.com", platformRole: "viewer" });
  });
});

describe("teams", () => {
  const team = {
    name: "payments",
    namespace: "payments",
    memberCount: 1,
    groupCount: 2,
    environments: [],
    clusterCount: 0,
  } as never;

  it("list the effects of deletion, and cannot be deleted while they have clusters", () => {
    expect(teamDeletion(team)).toMatchObject({
      effects: expect.arrayContaining([expect.stringContaining("1 person and 2 groups")]),
    });
    expect(teamDeletion(team).refusal).toBeUndefined();
    expect(teamDeletion(Object.assign({}, team, { clusterCount: 1 })).refusal).toContain("1 cluster.");
  });

  it.each(["", "Big", "-a", "a".repeat(64), "a.b"])("reject the name %j", (name) => {
    expect(teamFaults({ name, displayName: "", description: "", maxClusters: "" })).toHaveProperty("name");
  });
});

describe("the audit log", () => {
  it("is queried with the filters of the URL, without invalid ones", () => {
    const search = auditSearch({
      q: "shop",
      success: false,
      from: "yesterday",
      to: "2026-06-01",
      team: 7,
      other: "x",
      open: "a.1",
    });
    expect(auditQuery(search)).toEqual({ search: "shop", success: "false", to: "2026-06-01", team: "7", limit: 100 });
    expect(filterCount(search)).toBe(5);
  });

  it("reports whether it is intact, or which record is not", () => {
    const chain = { chain: "c1", firstNumber: 1, lastNumber: 9, isBeginningExpired: false, isEnded: false };
    expect(verifiedWords({ isIntact: true, anchor: "valid", chains: [chain] })).toMatchObject({ tone: "ready" });
    const broken = {
      isIntact: false,
      anchor: "valid" as const,
      chains: [{ ...chain, break: { number: 10, reason: "missing" as const } }],
    };
    expect(verifiedWords(broken).lines).toContain("Record 10 in chain c1 is missing.");
  });
});

describe("identity providers", () => {
  const preset = {
    id: "okta",
    displayName: "Okta",
    issuerURL: "https://{domain}.okta.com",
    scopes: ["openid", "groups"],
    groupsClaim: "groups",
    emailClaim: "email",
    notes: "",
  };
  const form = { ...presetForm(preset, "https://butler.example"), clientID: "c", clientSecret: "s" };

  it("reject an issuer URL with a placeholder", () => {
    expect(identityFaults(form)).toEqual({ issuerURL: "Replace the placeholder {domain}." });
    expect(identityFaults({ ...form, issuerURL: "http://x.okta.com" })).toHaveProperty("issuerURL");
    expect(identityFaults({ ...form, issuerURL: "https://x.okta.com" })).toEqual({});
  });

  it("accept a custom CA certificate for test and creation", () => {
    const certificateAuthority = "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----";
    const known = { ...form, issuerURL: "https://login.internal" };
    const own = { ...known, certificateAuthority: `\n${certificateAuthority}\n` };
    expect(identityFaults(own)).toEqual({});
    expect(identityFaults({ ...own, certificateAuthority: "MII" })).toHaveProperty("certificateAuthority");
    expect(newIdentityBody(own)).toMatchObject({ certificateAuthority });
    expect(issuerTestBody(own)).toEqual({ issuerURL: "https://login.internal", certificateAuthority });
    expect(newIdentityBody(known)).not.toHaveProperty("certificateAuthority");
    expect(issuerTestBody(known)).toEqual({ issuerURL: "https://login.internal" });
  });

  it("use the console's origin as redirect URL", () => {
    expect(newIdentityBody({ ...form, adminGroups: "ops\n\n admins " })).toMatchObject({
      redirectURL: "https://butler.example/api/auth/callback",
      scopes: ["openid", "groups"],
      platformRoleGroups: [
        { name: "ops", role: "admin" },
        { name: "admins", role: "admin" },
      ],
    });
  });
});

describe("providers", () => {
  it.each(Object.keys(providerKinds) as ProviderType[])("of type %s become valid YAML manifests", (type) => {
    const evil = `x: "y"\n#`;
    const values = Object.fromEntries(providerKinds[type].fields.map(({ name }) => [name, evil]));
    const team = type === "local" ? "" : "payments";
    const form = { type, name: "lab", team, pool: "", values };
    expect(providerFaults(form)).toEqual({});
    const manifest: unknown = parse(providerManifest(form));
    expect(manifest).toMatchObject({
      kind: "ProviderConfig",
      metadata: { name: "lab" },
      spec: { provider: type, ...(team === "" ? {} : { scope: { teamRef: { name: team } } }) },
    });
    const [first] = providerKinds[type].fields;
    expect(manifest).toMatchObject({ spec: { [type]: { [first.name]: evil.trim() } } });
    expect(secretCommand(form) === undefined).toBe(type === "local");
  });

  it("72: reject machines that are pods of the management cluster for one team", () => {
    const faults = providerFaults({ type: "local", name: "lab", team: "payments", pool: "", values: {} });
    expect(faults).toEqual({ team: expect.stringContaining("available only to ProviderConfigs in butler-system") });
  });

  it("reject missing required fields", () => {
    expect(providerFaults({ type: "aws", name: "Lab", team: "", pool: "", values: {} })).toEqual({
      name: expect.any(String),
      region: "Required.",
    });
  });
});

describe("policies", () => {
  const spec = {
    scope: { teamAndEnvironment: { teamRef: { name: "payments" }, environmentName: "prod" } },
    targetProviders: ["harvester" as const],
    options: {
      image: { mode: "recommended" as const, values: ["a", "b"], recommendedReason: "tested" },
      network: { mode: "default" as const, default: "vlan40" },
    },
  };

  it("are unchanged by a round trip through the form", () => {
    expect(policySpec(policyForm("p", spec), spec)).toEqual(spec);
    expect(policyFaults(policyForm("p", spec))).toEqual({});
    expect(scopeWords(spec)).toBe("payments, prod");
    expect(ruleWords(spec)).toEqual(["Images: recommended: a, b", "Networks: default: vlan40"]);
  });

  it.each([
    ["pin", "a, b", ""],
    ["pin", "", ""],
    ["allowList", "", "x"],
    ["default", "a", ""],
    ["", "", ""],
  ] as const)("reject the mode %j with the values %j", (mode, values, preselected) => {
    const form = policyForm("p");
    expect(
      policyFaults({ ...form, options: { ...form.options, image: { mode, values, preselected } } }),
    ).toHaveProperty("image");
  });
});

describe("settings", () => {
  const section = (id: string) => settingSections.find((each) => each.id === id) ?? { id, title: "", fields: [] };
  const spec = { defaultTeamLimits: { maxClusters: 5, maxTotalCPU: "64" }, audit: { enabled: true, bufferSize: 500 } };

  it("send nothing without changes", () => {
    for (const each of settingSections) expect(sectionChange(each, spec, sectionForm(each, spec))).toEqual({});
  });

  it("keep values without a field, and remove parts that become empty", () => {
    const news = { ...sectionForm(section("news"), spec), "audit.enabled": "false" };
    expect(sectionChange(section("news"), spec, news)).toEqual({ audit: { enabled: false, bufferSize: 500 } });
    const none = { "defaultTeamLimits.maxClusters": "", "defaultTeamLimits.maxTotalCPU": "" };
    expect(sectionChange(section("limits"), spec, none)).toEqual({ defaultTeamLimits: null });
    expect(sectionFaults(section("limits"), { "defaultTeamLimits.maxClusters": "many" })).not.toEqual({});
  });
});

describe("the fleet", () => {
  const now = new Date("2026-06-01T12:00:00Z");
  const cluster = (name: string, status: object, spec: object = {}): ClusterView =>
    ({
      metadata: { name, namespace: "payments" },
      spec: { workers: { replicas: 2 }, controlPlane: {}, ...spec },
      status,
    }) as never;
  const fleet = [
    cluster("well", { phase: "Ready", workerNodesReady: 2, workerNodesDesired: 2 }, { kubernetesVersion: "v1.34.1" }),
    cluster("thin", { phase: "Ready", workerNodesReady: 1, workerNodesDesired: 2 }, { kubernetesVersion: "v1.34.2" }),
    cluster("slow", { phase: "Provisioning", lastTransitionTime: "2026-06-01T11:00:00Z" }),
    cluster("new", { phase: "Provisioning", lastTransitionTime: "2026-06-01T11:59:00Z" }),
    cluster("broken", { phase: "Failed" }),
    cluster("asleep", { phase: "Failed" }, { paused: true }),
  ];

  it("lists what needs attention, worst first", () => {
    expect(problemsOf(fleet, now).map(({ cluster: { metadata }, why }) => [metadata.name, why])).toEqual([
      ["broken", "Failed"],
      ["thin", "1 of 2 nodes are not ready"],
      ["slow", "Provisioning for more than 30 minutes"],
    ]);
  });

  it("computes totals and shares", () => {
    expect(fleetNumbers(fleet)).toMatchObject({ clusters: 6, ready: 2, nodesReady: 3, teams: 1 });
    expect(sharesOf(fleet.slice(0, 2), minorVersionOf)).toEqual([{ name: "v1.34", count: 2 }]);
  });

  it.each([
    ["True", "Ready", "Ready"],
    ["False", "Provisioning", "Starting"],
    ["False", "Ready", "Not ready"],
    ["Unknown", "Ready", "Unknown"],
  ])("shows the control plane condition %s in phase %s as %s", (status, phase, word) => {
    expect(controlPlaneState(cluster("c", { phase, conditions: [{ type: "ControlPlaneReady", status }] })).word).toBe(
      word,
    );
  });
});

it("selects rows that contain every word", () => {
  const rows = ["Ada admin", "Grace viewer"];
  expect(selectRows(rows, "VIEW gra", (row) => [row])).toEqual(["Grace viewer"]);
  expect(selectRows(rows, undefined, (row) => [row])).toBe(rows);
});

it("keeps only http and https links", () => {
  expect(
    safeLinks({ a: "https://x.example", b: "javascript:alert(1)", c: "data:text/html,x", d: "no", e: "http://y" }).map(
      ([name]) => name,
    ),
  ).toEqual(["a", "e"]);
});
