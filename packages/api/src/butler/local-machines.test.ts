import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { ButlerConfig } from "./butler-config.ts";
import { localProviderFault, localScopeFault, machineImageFault } from "./local-machines.ts";
import { ProviderConfig } from "./provider-config.ts";

const listed = `registry.example.com/butler-node@sha256:${"a".repeat(64)}`;
const config = (allowedImages?: readonly string[]): ButlerConfig =>
  parseObject(ButlerConfig, {
    apiVersion: ButlerConfig.apiVersion,
    kind: ButlerConfig.kind,
    metadata: { name: "butler" },
    spec: allowedImages === undefined ? {} : { localMachines: { allowedImages } },
  });
const provider = (spec: object, namespace = "butler-system"): ProviderConfig =>
  parseObject(ProviderConfig, {
    apiVersion: ProviderConfig.apiVersion,
    kind: ProviderConfig.kind,
    metadata: { name: "local", namespace },
    spec,
  });

describe("the image of a machine that is a pod", () => {
  it.each([
    ["none", undefined],
    ["an empty one", ""],
    ["a listed one", listed],
  ])("may be %s", (_what, image) => {
    expect(machineImageFault(image, config([listed]))).toBeUndefined();
  });

  it.each([
    ["one by tag", "registry.example.com/butler-node:v1.36.3", [listed]],
    ["another digest", listed.replace("aa", "bb"), [listed]],
    ["the digest of another repository", listed.replace("registry", "evil"), [listed]],
    ["any while none is listed", listed, undefined],
    ["any without a ButlerConfig", listed, null],
  ])("may not be %s", (_what, image, allowed) => {
    const fault = machineImageFault(image, allowed === null ? undefined : config(allowed));
    expect(fault).toContain(`image ${image} is not in spec.localMachines.allowedImages`);
  });

  it("is listed by digest only", () => {
    for (const image of ["butler-node:v1", "butler-node", "a b@sha256:0", `x@sha256:${"A".repeat(64)}`]) {
      expect(() => config([image])).toThrow("must be an image with a digest");
    }
  });
});

describe("local machines", () => {
  it("are offered only by ProviderConfigs of the platform that are for all teams", () => {
    const team = { type: "team", teamRef: { name: "payments" } };
    expect(localScopeFault(provider({ provider: "local" }))).toBeUndefined();
    expect(localScopeFault(provider({ provider: "local", scope: { type: "platform" } }))).toBeUndefined();
    expect(localScopeFault(provider({ provider: "local" }, "payments"))).toContain("only to ProviderConfigs in");
    expect(localScopeFault(provider({ provider: "local", scope: team }))).toContain("scope type platform");
    const harvester = { provider: "harvester", credentialsRef: { name: "x" }, harvester: { networkName: "a/b" } };
    expect(localScopeFault(provider({ ...harvester, scope: team }, "payments"))).toBeUndefined();
  });

  it("are rejected for their place first, then for their image", () => {
    const bad = { provider: "local", local: { kindNodeImage: "evil.example/root:1" } };
    expect(localProviderFault(provider(bad, "payments"), config())?.reason).toBe("LocalNotAllowed");
    expect(localProviderFault(provider(bad), config())?.reason).toBe("ImageNotAllowed");
    const good = { provider: "local", local: { kindNodeImage: listed } };
    expect(localProviderFault(provider(good), config([listed]))).toBeUndefined();
  });
});
