import { ProviderConfig } from "@butler/api";
import type { CacheReader } from "@butler/controller";
import { keyText, type ObjectKey, parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { observe } from "./observe.ts";
import { aTenantCluster, machineProviders, now } from "./testing/observed-objects.ts";

const harvester = { networkName: "default/vlan40", imageName: "default/rocky" };

/** The Secret that a cluster's provider is given to, and what is read of it. */
async function readBy(metadata: object, spec: object): Promise<{ read: string[]; found: boolean; given: unknown }> {
  const provider = parseObject(ProviderConfig, {
    apiVersion: ProviderConfig.apiVersion,
    kind: ProviderConfig.kind,
    metadata: { name: "cloud", namespace: "payments", ...metadata },
    spec: { provider: "harvester", harvester, credentialsRef: { name: "cloud" }, ...spec },
  });
  const read: string[] = [];
  const readSecret = (key: ObjectKey) => {
    read.push(keyText(key));
    return Promise.resolve({ kubeconfig: "the password" });
  };
  const isIt = (key: ObjectKey) => key.name === "cloud" && key.namespace === provider.metadata.namespace;
  const cache = {
    get: (kind: { kind: string }, key: ObjectKey) =>
      kind.kind === ProviderConfig.kind && isIt(key) ? provider : undefined,
    list: () => [],
    byIndex: () => [],
    isServed: () => true,
  } as unknown as CacheReader;
  const { namespace } = provider.metadata;
  const primary = aTenantCluster({ providerConfigRef: { name: "cloud", namespace }, teamRef: { name: "payments" } });
  const ports = { readSecret };
  const observed = await observe(
    { primary, read: cache, ports, now, signal: AbortSignal.timeout(1_000) },
    machineProviders,
  );
  return { read, found: observed.provider.found !== undefined, given: observed.provider.credentials };
}

const ofTeam = (name: string) => ({ scope: { type: "team", teamRef: { name } } });

describe("the credentials of a provider", () => {
  it.each<[string, object, object, string]>([
    ["in its own namespace", {}, {}, "payments/cloud"],
    ["in its own namespace, named", {}, { credentialsRef: { name: "x", namespace: "payments" } }, "payments/x"],
    ["of the platform", { namespace: "butler-system" }, {}, "butler-system/cloud"],
    [
      "of the platform, anywhere",
      { namespace: "butler-system" },
      { credentialsRef: { name: "x", namespace: "vault" } },
      "vault/x",
    ],
    ["of the platform, for the team", { namespace: "butler-system" }, ofTeam("payments"), "butler-system/cloud"],
  ])("are read %s", async (_what, metadata, spec, key) => {
    expect(await readBy(metadata, spec)).toEqual({ read: [key], found: true, given: { kubeconfig: "the password" } });
  });

  it.each<[string, object, object]>([
    ["another team's Secret", {}, { credentialsRef: { name: "x", namespace: "billing" } }],
    ["the platform's Secret", {}, { credentialsRef: { name: "x", namespace: "butler-system" } }],
    [
      "the platform's Secret, while it is being deleted",
      { deletionTimestamp: "2026-03-01T11:00:00Z" },
      { credentialsRef: { name: "x", namespace: "butler-system" } },
    ],
    ["a provider in another team's namespace", { namespace: "billing" }, {}],
    ["a provider of another team", { namespace: "butler-system" }, ofTeam("billing")],
  ])("are never read through %s", async (_what, metadata, spec) => {
    expect(await readBy(metadata, spec)).toEqual({ read: [], found: true, given: undefined });
  });
});
