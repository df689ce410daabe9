import type { ProviderConfig } from "@butler/api";
import { describe, expect, it } from "vitest";
import { decideProviderConfig, decideProviderConfigDeletion } from "./provider-config.ts";
import { aCluster, aConfig, aProvider, type Traits } from "./testing/objects.ts";

const of = (provider: string, block: object): Traits => ({
  spec: { provider, harvester: undefined, [provider]: block },
});
const scope = (name?: string): Traits => ({
  spec: { scope: { type: "team", ...(name === undefined ? {} : { teamRef: { name } }) } },
});
const pools = [{ name: "datacenter" }];
const inTeam: Traits = { metadata: { namespace: "payments" } };

const digest = `registry.example.com/butler-node@sha256:${"a".repeat(64)}`;
const local = (settings: object = {}): Traits => ({
  spec: { provider: "local", harvester: undefined, credentialsRef: undefined, ...settings },
});
const config = aConfig({ localMachines: { allowedImages: [digest] } });

/** As an API server with an older schema could have stored it. */
const loose = (traits: Traits): ProviderConfig => {
  const { spec = {}, metadata = {} } = traits;
  const whole = aProvider({ metadata });
  return { ...whole, spec: { ...whole.spec, ...spec } };
};

describe("a provider", () => {
  it.each<[string, Traits | undefined, Traits, string?]>([
    ["of the platform", undefined, {}],
    ["on Azure", undefined, of("azure", { subscriptionID: "s", resourceGroup: "r" })],
    ["on Azure without its settings", undefined, { spec: { provider: "azure" } }, "REQUIRED spec.azure"],
    [
      "on Azure without a subscription",
      undefined,
      of("azure", { resourceGroup: "r" }),
      "REQUIRED spec.azure.subscriptionID",
    ],
    [
      "on Azure without a resource group",
      undefined,
      of("azure", { subscriptionID: "s", resourceGroup: "" }),
      "REQUIRED spec.azure.resourceGroup",
    ],
    ["on AWS without its settings", undefined, { spec: { provider: "aws" } }, "REQUIRED spec.aws"],
    ["on AWS without a region", undefined, of("aws", {}), "REQUIRED spec.aws.region"],
    ["on Google Cloud without a project", undefined, of("gcp", { region: "r" }), "REQUIRED spec.gcp.projectID"],
    ["on Google Cloud without a region", undefined, of("gcp", { projectID: "p" }), "REQUIRED spec.gcp.region"],
    ["of a team", undefined, scope("payments")],
    ["of a team that is not named", undefined, scope(), "REQUIRED spec.scope.teamRef"],
    ["of a team that there is not", undefined, scope("gone"), "NOT_FOUND spec.scope.teamRef.name: Team gone not found"],
    ["of a team, in its namespace", undefined, { ...scope("payments"), ...inTeam }],
    [
      "of another team, in a team's namespace",
      undefined,
      { ...scope("web"), ...inTeam },
      "NOT_ALLOWED spec.scope.teamRef.name",
    ],
    ["with addresses of pools", undefined, { spec: { network: { mode: "ipam", poolRefs: pools } } }],
    [
      "with addresses of no pools",
      undefined,
      { spec: { network: { mode: "ipam", poolRefs: [] } } },
      "REQUIRED spec.network.poolRefs",
    ],
    [
      "on a cloud with addresses of pools",
      undefined,
      { spec: { ...of("aws", { region: "r" }).spec, network: { mode: "ipam", poolRefs: pools } } },
      "NOT_ALLOWED spec.network.mode",
    ],
    [
      "on a cloud with its own addresses",
      undefined,
      { spec: { ...of("aws", { region: "r" }).spec, network: { mode: "cloud" } } },
    ],
    [
      "of a team with its own credentials",
      undefined,
      { ...inTeam, spec: { credentialsRef: { name: "a", namespace: "payments" } } },
    ],
    [
      "of a team with the platform's credentials",
      undefined,
      { ...inTeam, spec: { credentialsRef: { name: "a", namespace: "butler-system" } } },
      "NOT_ALLOWED spec.credentialsRef.namespace",
    ],
    [
      "of the platform with credentials elsewhere",
      undefined,
      { spec: { credentialsRef: { name: "a", namespace: "vault" } } },
    ],
    [
      "that becomes another while it is in use",
      {},
      { spec: { provider: "local" } },
      "IMMUTABLE spec.provider: is harvester and cannot be changed while clusters use it: payments/shop",
    ],
    ["that becomes the team's whose clusters use it", {}, scope("payments")],
    [
      "that becomes another team's while it is in use",
      {},
      scope("web"),
      "IN_USE spec.scope: would exclude clusters that use this ProviderConfig: payments/shop",
    ],
    ["with local machines", undefined, local()],
    ["with local machines of a listed image", undefined, local({ local: { kindNodeImage: digest } })],
    [
      "with local machines of another image",
      undefined,
      local({ local: { kindNodeImage: "evil.example/root:1" } }),
      "NOT_ALLOWED spec.local.kindNodeImage: image evil.example/root:1 is not in spec.localMachines.allowedImages",
    ],
    [
      "of a team with local machines, in its namespace",
      undefined,
      { ...inTeam, ...local() },
      "NOT_ALLOWED spec.provider: provider local is available only to ProviderConfigs in butler-system",
    ],
    ["of a team with local machines", undefined, local(scope("payments").spec), "NOT_ALLOWED spec.provider"],
    [
      "of a team that gets another image",
      { ...inTeam, ...local() },
      { ...inTeam, ...local({ local: { kindNodeImage: digest } }) },
      "NOT_ALLOWED spec.provider",
    ],
    ["that is wrong and stays as it is", { spec: { provider: "aws" } }, { spec: { provider: "aws" } }],
  ])("%s", (_what, before, after, refusal) => {
    const provider = loose(after);
    const hasTeam = provider.spec.scope?.teamRef?.name !== "gone";
    const input = { provider, before: before && loose(before), hasTeam, clusters: [aCluster()], config };
    const texts = decideProviderConfig(input).map(({ code, path, message }) => `${code} ${path}: ${message}`);
    if (refusal === undefined) expect(texts).toEqual([]);
    else {
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain(refusal);
    }
  });

  it("cannot be deleted while clusters use it, unlike one of the same name in another namespace", () => {
    const [denial] = decideProviderConfigDeletion(aProvider(), [aCluster()]);
    expect(denial?.message).toBe("1 cluster(s) use it: payments/shop; delete them first");
    expect(decideProviderConfigDeletion(aProvider(inTeam), [aCluster()])).toEqual([]);
    expect(decideProviderConfigDeletion(aProvider(), [])).toEqual([]);
  });
});
