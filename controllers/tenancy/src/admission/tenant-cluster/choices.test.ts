import { describe, it } from "vitest";
import { type Case, changed, check, made, without, withTeam } from "../testing/cluster-cases.ts";
import { aPolicy, aProvider, aTeam, clusterFacts, type Traits } from "../testing/objects.ts";
import type { TenantClusterInput } from "./input.ts";

describe("versions and add-ons", () => {
  const version = (kubernetesVersion: string): Traits => ({ spec: { kubernetesVersion } });
  const limited = (resourceLimits: Record<string, unknown>, rest: Partial<TenantClusterInput> = {}) =>
    withTeam({ spec: { resourceLimits } }, rest);
  const allowed = { allowedKubernetesVersions: ["v1.34.1", "1.35"] };

  it.each<Case>([
    ["a version that is too old", made(version("v1.29.0")), "INVALID spec.kubernetesVersion: v1.29.0 is not supported"],
    ["a version that is too new", made(version("v1.99.0")), "INVALID spec.kubernetesVersion: v1.99.0 is not supported"],
    ["an upgrade by one minor version", changed(version("v1.34.1"), version("v1.35.2"))],
    [
      "an upgrade by two",
      changed(version("v1.33.1"), version("v1.35.2")),
      "cannot be upgraded from v1.33.1 to v1.35.2 directly; upgrade to v1.34 first",
    ],
    ["a way back", changed(version("v1.35.2"), version("v1.34.1")), "cannot be downgraded from v1.35.2 to v1.34.1"],
    [
      "an upgrade on top of one that has not ended",
      changed(
        { ...version("v1.35.2"), status: { observedState: { kubernetesVersion: "v1.34.1" } } },
        version("v1.36.3"),
      ),
      "cannot be upgraded from v1.34.1 to v1.36.3 directly",
    ],
    [
      "an old version that stays",
      changed(version("v1.20.0"), { spec: { kubernetesVersion: "v1.20.0", paused: true } }),
    ],
    ["an allowed version", limited(allowed, made(version("v1.34.1")))],
    ["an allowed minor version", limited(allowed, made(version("v1.35.9")))],
    [
      "a version that is not allowed",
      limited(allowed, made(version("v1.34.2"))),
      "v1.34.2 is not in the team's allowedKubernetesVersions: v1.34.1, 1.35",
    ],
    [
      "a minor version that only begins like one",
      limited({ allowedKubernetesVersions: ["1.3"] }, made(version("v1.35.2"))),
      "NOT_ALLOWED spec.kubernetesVersion",
    ],
    [
      "an upgrade to one that is not allowed",
      limited(allowed, changed(version("v1.35.2"), version("v1.36.3"))),
      "NOT_ALLOWED spec.kubernetesVersion",
    ],
    [
      "a version that is no longer allowed",
      limited(allowed, changed(version("v1.33.1"), { spec: { kubernetesVersion: "v1.33.1", paused: true } })),
    ],
    [
      "an allowed add-on",
      limited({ allowedAddons: ["argocd"] }, made({ spec: { addons: { gitops: { provider: "argocd" } } } })),
    ],
    [
      "an add-on that is not allowed",
      limited({ allowedAddons: ["argocd"] }, made({ spec: { addons: { gitops: {} } } })),
      "NOT_ALLOWED spec.addons.gitops: fluxcd is not in the team's allowedAddons: argocd",
    ],
    [
      "a denied add-on",
      limited({ deniedAddons: ["nginx"] }, made({ spec: { addons: { ingress: { provider: "nginx" } } } })),
      "NOT_ALLOWED spec.addons.ingress: nginx is in the team's deniedAddons",
    ],
    [
      "an add-on both allowed and denied",
      limited(
        { allowedAddons: ["nginx"], deniedAddons: ["nginx"] },
        made({ spec: { addons: { ingress: { provider: "nginx" } } } }),
      ),
      "deniedAddons",
    ],
    [
      "a denied default add-on",
      limited({ deniedAddons: ["traefik"] }),
      "traefik is in the team's deniedAddons; clusters include it by default: choose another add-on",
    ],
    [
      "a denied add-on that is switched off",
      limited({ deniedAddons: ["traefik"] }, made({ spec: { addons: { ingress: { enabled: false } } } })),
    ],
    [
      "an add-on that was there before it was denied",
      limited({ deniedAddons: ["traefik"] }, changed({}, { spec: { paused: true } })),
    ],
    [
      "an add-on that is added later",
      limited({ deniedAddons: ["argocd"] }, changed({}, { spec: { addons: { gitops: { provider: "argocd" } } } })),
      "NOT_ALLOWED spec.addons.gitops",
    ],
  ])("%s", check);
});

describe("the provider of a cluster", () => {
  const known = (facts: Partial<TenantClusterInput["facts"]>) => ({ facts: clusterFacts(facts) });
  const ofTeam = (team: string) => aProvider({ spec: { scope: { type: "team", teamRef: { name: team } } } });
  const machine = (type: string, pool?: string): Traits => ({
    spec: {
      workers: { machineTemplate: { os: { type } } },
      ...(pool === undefined
        ? {}
        : { workerPools: [{ name: "big", replicas: 1, machineTemplate: { os: { type: pool } } }] }),
    },
  });
  const elsewhere = { providerKey: { name: "harvester", namespace: "web" } };
  const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z" };

  const own = { name: "harvester", namespace: "payments" };
  const allowing = (allowed: string, providerKey = { name: "harvester", namespace: "butler-system" }) => ({
    ...known({
      team: aTeam({ spec: { resourceLimits: { allowedProviders: [allowed] } } }),
      provider: aProvider({ metadata: { namespace: providerKey.namespace } }),
      providerKey,
    }),
    ...made({ spec: { providerConfigRef: providerKey } }),
  });

  it.each<Case>([
    ["the platform's", {}],
    [
      "none at all",
      { ...known({ providerKey: undefined, provider: undefined }), ...made({ spec: without("providerConfigRef") }) },
      "REQUIRED spec.providerConfigRef: is required: no ProviderConfig is set on the team or the platform",
    ],
    ["the team's, that the cluster does not name", made({ spec: without("providerConfigRef") })],
    [
      "one that there is not",
      known({ provider: undefined }),
      "NOT_FOUND spec.providerConfigRef: ProviderConfig butler-system/harvester not found",
    ],
    ["the team's own", known({ provider: ofTeam("payments") })],
    [
      "one that is being deleted",
      known({ provider: aProvider({ metadata: leaving }) }),
      "NOT_ALLOWED spec.providerConfigRef: ProviderConfig butler-system/harvester is being deleted",
    ],
    [
      "one that is being deleted, which it uses already",
      { ...known({ provider: aProvider({ metadata: leaving }) }), ...changed({}, { spec: { paused: true } }) },
    ],
    [
      "another team's",
      known({ provider: ofTeam("web") }),
      "NOT_ALLOWED spec.providerConfigRef: butler-system/harvester belongs to another team",
    ],
    ["in the cluster's own namespace", known({ providerKey: { name: "harvester", namespace: "payments" } })],
    [
      "in another team's namespace",
      known(elsewhere),
      "NOT_ALLOWED spec.providerConfigRef.namespace: web/harvester is neither in butler-system nor",
    ],
    ["an allowed one", withTeam({ spec: { resourceLimits: { allowedProviders: ["harvester"] } } })],
    ["an allowed one, spelt out", allowing("butler-system/harvester")],
    [
      "the team's own with an allowed name",
      allowing("harvester", own),
      "NOT_ALLOWED spec.providerConfigRef: payments/harvester is not in the team's allowedProviders: harvester",
    ],
    ["the team's own that is allowed", allowing("payments/harvester", own)],
    ["one of the same name as the team's own that is allowed", allowing("payments/harvester"), "NOT_ALLOWED"],
    [
      "one that is not allowed",
      withTeam({ spec: { resourceLimits: { allowedProviders: ["nutanix"] } } }),
      "butler-system/harvester is not in the team's allowedProviders: nutanix",
    ],
    [
      "a default that is not allowed",
      {
        ...withTeam({ spec: { resourceLimits: { allowedProviders: ["nutanix"] } } }),
        ...made({ spec: without("providerConfigRef") }),
      },
      "allowedProviders",
    ],
    [
      "a change",
      changed({}, { spec: { providerConfigRef: { name: "nutanix" } } }),
      "IMMUTABLE spec.providerConfigRef: is butler-system/harvester",
    ],
    [
      "the same one, spelt out",
      changed({}, { spec: { providerConfigRef: { name: "harvester", namespace: "butler-system" } } }),
    ],
    ["one that was deleted since", { ...known({ provider: undefined }), ...changed({}, { spec: { paused: true } }) }],
    [
      "a system that is unsupported",
      made(machine("talos")),
      "UNSUPPORTED spec.workers.machineTemplate.os.type: talos on harvester is unsupported; choose rocky",
    ],
    [
      "an unsupported system in a pool",
      made(machine("rocky", "flatcar")),
      "UNSUPPORTED spec.workerPools[0].machineTemplate.os.type: flatcar on harvester is unsupported",
    ],
    ["an unsupported pool that is added later", changed(machine("rocky"), machine("rocky", "flatcar")), "unsupported"],
    [
      "a system that is unsupported since",
      changed(machine("talos"), { spec: { ...machine("talos").spec, paused: true } }),
    ],
    [
      "an unsupported kind of infrastructure",
      known({ provider: aProvider({ spec: { provider: "aws", aws: { region: "eu" } } }) }),
      "UNSUPPORTED spec.providerConfigRef: clusters on aws are unsupported",
    ],
  ])("%s", check);
});

describe("policies", () => {
  const image = (imageName: string): Traits => ({ spec: { infrastructureOverride: { harvester: { imageName } } } });
  const ruled = (policies: Traits[], rest: Partial<TenantClusterInput> = {}): Partial<TenantClusterInput> => ({
    facts: clusterFacts({
      policies: policies.map((traits, at) => aPolicy({ metadata: { name: `p${at}` }, ...traits })),
    }),
    ...rest,
  });
  const pin = (value: string, more: Record<string, unknown> = {}): Traits => ({
    spec: { options: { image: { mode: "pin", values: [value] } }, ...more },
  });
  const list: Traits = { spec: { options: { image: { mode: "allowList", values: ["a/b", "default/rocky"] } } } };
  const ofTeam = { scope: { team: { teamRef: { name: "payments" } } } };
  const ofDev = { scope: { teamAndEnvironment: { teamRef: { name: "payments" }, environmentName: "dev" } } };
  const pool = (imageRef: string) => ({
    spec: { workerPools: [{ name: "big", replicas: 1, machineTemplate: { os: { imageRef } } }] },
  });
  const nutanixBlock = { endpoint: "https://prism.example.com", clusterUUID: "c1", subnetUUID: "s1", imageUUID: "i1" };
  const nutanix = (options: Record<string, unknown>): Partial<TenantClusterInput> => ({
    facts: clusterFacts({
      provider: aProvider({ spec: { provider: "nutanix", nutanix: nutanixBlock } }),
      policies: [aPolicy({ spec: { options } })],
    }),
  });

  it.each<Case>([
    ["pin: the provider's value, that the cluster does not name", ruled([pin("default/rocky")])],
    [
      "pin: a provider's value that is another",
      ruled([pin("a/b")]),
      "POLICY spec.infrastructureOverride.harvester.imageName: image default/rocky is not allowed; ClusterCreationPolicy p0 (pin) allows a/b",
    ],
    ["pin: the value, by override", ruled([pin("a/b")], made(image("a/b")))],
    ["pin: another value, by override", ruled([pin("default/rocky")], made(image("a/b"))), "image a/b is not allowed"],
    ["pin: an empty override", ruled([pin("a/b")], made(image(""))), "image default/rocky is not allowed"],
    [
      "pin: no value anywhere",
      {
        facts: clusterFacts({
          provider: aProvider({ spec: { harvester: { networkName: "a/b" } } }),
          policies: [aPolicy()],
        }),
      },
      "no image is set",
    ],
    [
      "pin: another image in a pool",
      ruled([pin("default/rocky")], made(pool("a/b"))),
      "POLICY spec.workerPools[0].machineTemplate.os.imageRef: image a/b is not allowed",
    ],
    [
      "pin: another image of the main workers",
      ruled([pin("default/rocky")], made({ spec: { workers: { machineTemplate: { os: { imageRef: "a/b" } } } } })),
      "POLICY spec.workers.machineTemplate.os.imageRef",
    ],
    ["allowList: a value of it", ruled([list], made(image("a/b")))],
    ["allowList: another value", ruled([list], made(image("c/d"))), "(allowList) allows a/b, default/rocky"],
    ["default: any value", ruled([{ spec: { options: { image: { mode: "default", default: "a/b" } } } }])],
    ["recommended: any value", ruled([{ spec: { options: { image: { mode: "recommended", values: ["a/b"] } } } }])],
    ["for another provider", ruled([pin("a/b", { targetProviders: ["nutanix"] })])],
    ["for this provider among others", ruled([pin("a/b", { targetProviders: ["nutanix", "harvester"] })]), "POLICY"],
    ["the team's before everybody's", ruled([pin("a/b"), pin("default/rocky", ofTeam)])],
    ["the environment's before the team's", ruled([pin("a/b", ofTeam), pin("default/rocky", ofDev)])],
    [
      "everybody's where the team's rules something else",
      ruled([pin("a/b"), { spec: { options: { network: { mode: "recommended", values: ["x"] } }, ...ofTeam } }]),
      "ClusterCreationPolicy p0",
    ],
    ["another team's", ruled([pin("a/b", { scope: { team: { teamRef: { name: "web" } } } })])],
    [
      "another environment's",
      ruled([
        pin("a/b", { scope: { teamAndEnvironment: { teamRef: { name: "payments" }, environmentName: "prod" } } }),
      ]),
    ],
    [
      "a network",
      ruled([{ spec: { options: { network: { mode: "pin", values: ["default/vlan41"] } } } }]),
      "POLICY spec.infrastructureOverride.harvester.networkName: network default/vlan40",
    ],
    [
      "what the provider does not have",
      ruled([{ spec: { options: { storageContainer: { mode: "pin", values: ["x"] } } } }]),
    ],
    [
      "Nutanix: an image",
      nutanix({ image: { mode: "pin", values: ["i2"] } }),
      "POLICY spec.infrastructureOverride.nutanix.imageUUID",
    ],
    [
      "Nutanix: a subnet",
      nutanix({ network: { mode: "pin", values: ["s2"] } }),
      "POLICY spec.infrastructureOverride.nutanix.subnetUUID",
    ],
    [
      "Nutanix: a cluster",
      nutanix({ cluster: { mode: "pin", values: ["c2"] } }),
      "POLICY spec.infrastructureOverride.nutanix.clusterUUID",
    ],
    [
      "Nutanix: a container that is not named",
      nutanix({ storageContainer: { mode: "pin", values: ["x"] } }),
      "no storageContainer is set",
    ],
    [
      "a value that was there before the policy",
      ruled([pin("default/rocky")], changed(image("a/b"), { spec: { ...image("a/b").spec, paused: true } })),
    ],
    ["a value that is changed later", ruled([pin("default/rocky")], changed({}, image("a/b"))), "POLICY"],
    ["a pool that is added later", ruled([pin("default/rocky")], changed({}, pool("a/b"))), "POLICY"],
  ])("%s", check);
});
