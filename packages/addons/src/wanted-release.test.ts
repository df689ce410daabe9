import { describe, expect, it } from "vitest";
import { ManagementAddon } from "@butler/api";
import { parseObject } from "@butler/resource";
import { installed, someAddon, someCluster, someDefinition, someTeam } from "./testing/some-objects.ts";
import {
  wantedManagementRelease,
  wantedRelease,
  type WantedReleaseInput,
  type WantedRelease,
} from "./wanted-release.ts";

const definition = someDefinition("traefik", {
  chart: {
    repository: "https://charts.example.com",
    name: "traefik-chart",
    defaultVersion: "2.0.0",
    credentialsRef: { name: "mirror" },
  },
  defaults: { namespace: "edge", releaseName: "proxy", values: { a: 1, from: "definition" }, timeout: "5m" },
  kubernetesVersions: ">=1.30 <1.37",
  variations: [
    { providers: ["aws", "gcp"], values: { b: 2, from: "provider" } },
    { providers: ["local"], unsupported: "pods cannot do that" },
  ],
  valuesSchema: { properties: { a: { type: "integer" } } },
});

const usual: WantedReleaseInput = {
  addon: someAddon("traefik"),
  definition,
  cluster: someCluster(),
  team: undefined,
  providerType: "proxmox",
};

function wanted(input: Partial<WantedReleaseInput>): WantedRelease {
  const result = wantedRelease({ ...usual, ...input });
  if ("fault" in result) throw new Error(result.fault.message);
  return result.wanted;
}

describe("the desired release", () => {
  it("comes from the definition", () => {
    expect(wanted({})).toMatchObject({
      source: { repository: "https://charts.example.com", name: "traefik-chart", version: "2.0.0" },
      credentials: { secret: "mirror", namespace: "butler-system" },
      release: "proxy",
      namespace: "edge",
      createNamespace: true,
      values: { a: 1, from: "definition" },
      timeoutMs: 300_000,
    });
  });

  it("merges the values of all layers, later ones win", () => {
    const layers = wanted({
      addon: someAddon("traefik", { spec: { values: { g: 7, from: "addon" } } }),
      cluster: someCluster(
        { addons: { ingress: { provider: "traefik", values: { f: 6, from: "cluster" } } } },
        { labels: { "butler.butlerlabs.dev/environment": "prod" } },
      ),
      team: someTeam({
        clusterDefaults: { addonValues: { traefik: { d: 4, from: "team" }, other: { x: 1 } } },
        environments: [
          { name: "dev", clusterDefaults: { addonValues: { traefik: { x: 1 } } } },
          { name: "prod", clusterDefaults: { addonValues: { traefik: { e: 5, from: "environment" } } } },
        ],
      }),
      providerType: "gcp",
    });
    expect(layers.values).toEqual({ a: 1, b: 2, d: 4, e: 5, f: 6, g: 7, from: "addon" });
    expect(Object.fromEntries(layers.origins.map(({ path, from }) => [path, from]))).toEqual({
      a: "definition",
      b: "provider",
      d: "team",
      e: "environment",
      f: "cluster",
      g: "addon",
      from: "addon",
    });
  });

  it("ignores the values of a slot that holds another product", () => {
    const cluster = someCluster({ addons: { ingress: { provider: "nginx", values: { f: 6 } } } });
    expect(wanted({ cluster }).values).toEqual({ a: 1, from: "definition" });
    const nginx = someDefinition("ingress-nginx");
    expect(wanted({ addon: someAddon("ingress-nginx"), definition: nginx, cluster }).values).toEqual({ f: 6 });
  });

  it.each([
    { about: "what the spec names", spec: { version: "3.0.0" }, status: installed, version: "3.0.0" },
    { about: "what runs, whatever the catalog's default is by now", spec: {}, status: installed, version: "1.0.0" },
    { about: "the default, when nothing runs", spec: { version: "" }, status: undefined, version: "2.0.0" },
  ])("has the version: $about", ({ spec, status, version }) => {
    expect(wanted({ addon: someAddon("traefik", { spec, status }) }).source.version).toBe(version);
  });

  it("can be any chart", () => {
    const helm = { repository: "oci://ghcr.io/demo", chart: "podinfo", credentialsRef: { name: "mine" } };
    const long = `shop-${"x".repeat(80)}`;
    const addon = someAddon(long, { spec: { helm, values: { n: 1 } } });
    const { release, ...rest } = wanted({ addon, definition: undefined });
    expect(rest).toMatchObject({
      source: { repository: "oci://ghcr.io/demo", name: "podinfo", version: undefined },
      credentials: { secret: "mine", namespace: "payments" },
      namespace: "podinfo",
      values: { n: 1 },
      timeoutMs: 600_000,
    });
    expect(release).toHaveLength(53);
  });

  it.each([
    { about: "no definition", input: { definition: undefined }, reason: "DefinitionNotFound" },
    { about: "the provider", input: { providerType: "local" as const }, reason: "UnsupportedProvider" },
    {
      about: "Kubernetes",
      input: { cluster: someCluster({ kubernetesVersion: "v1.37.0" }) },
      reason: "UnsupportedKubernetes",
    },
    {
      about: "values",
      input: { addon: someAddon("traefik", { spec: { values: { a: "x" } } }) },
      reason: "InvalidValues",
    },
    {
      about: "the release's name",
      input: { definition: someDefinition("traefik", { defaults: { releaseName: "Not_Good" } }) },
      reason: "InvalidRelease",
    },
    {
      about: "credentials in the address",
      input: {
        addon: someAddon("x", { spec: { helm: { repository: "https://me:pw@charts.example.com", chart: "x" } } }),
      },
      reason: "InvalidRepository",
    },
  ])("is invalid because of $about", ({ input, reason }) => {
    expect(wantedRelease({ ...usual, ...input })).toMatchObject({ fault: { reason } });
  });

  it("on the management cluster comes from definition and add-on alone", () => {
    const addon = parseObject(ManagementAddon, {
      apiVersion: ManagementAddon.apiVersion,
      kind: "ManagementAddon",
      metadata: { name: "traefik" },
      spec: { addon: "traefik", values: { c: 3 } },
    });
    const result = wantedManagementRelease({ addon, definition });
    expect(result).toMatchObject({
      wanted: { values: { a: 1, c: 3 }, release: "proxy", source: { version: "2.0.0" } },
    });
    expect(wantedManagementRelease({ addon, definition: undefined })).toMatchObject({
      fault: { reason: "DefinitionNotFound" },
    });
  });
});

describe("the fingerprint", () => {
  const print = (input: Partial<WantedReleaseInput> = {}): string => wanted(input).fingerprint;
  const helm = { repository: "oci://ghcr.io/demo", chart: "podinfo" };

  it("stays the same once the desired version is installed", () => {
    const status = { ...installed, installedVersion: "2.0.0" };
    expect(print({ addon: someAddon("traefik", { status }) })).toBe(print());
    expect(print({ addon: someAddon("x", { spec: { helm }, status }) })).toBe(
      print({ addon: someAddon("x", { spec: { helm } }) }),
    );
    expect(print({ addon: someAddon("traefik", { spec: { version: "v2.0.0" } }) })).toBe(print());
    expect(print({ addon: someAddon("traefik", { spec: { timeout: "1h" } }) })).toBe(print());
  });

  it.each([
    ["version", { addon: someAddon("traefik", { spec: { version: "2.0.1" } }) }],
    ["values", { addon: someAddon("traefik", { spec: { values: { a: 2 } } }) }],
    ["provider", { providerType: "aws" as const }],
    ["chart", { definition: someDefinition("traefik", { defaults: definition.spec.defaults }) }],
  ])("changes with the %s", (_, input) => {
    expect(print(input)).not.toBe(print());
  });
});
