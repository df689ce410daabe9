import { credentialsKeyOf } from "@butler/access";
import { describe, expect, it } from "vitest";
import { aProviderConfig } from "../shared/testing/objects.ts";
import { credentialsCondition } from "./credentials.ts";

const configOf = (provider: string, spec: object = {}) =>
  ({ ...aProviderConfig(), spec: { ...aProviderConfig().spec, ...spec, provider } }) as ReturnType<
    typeof aProviderConfig
  >;

describe("credentialsCondition", () => {
  it.each([
    ["harvester", ["kubeconfig"]],
    ["nutanix", ["username", "password"]],
    ["proxmox", ["username", "password"]],
    ["proxmox", ["token"]],
    ["azure", ["clientID", "clientSecret", "tenantID"]],
    ["aws", ["accessKeyID", "secretAccessKey"]],
    ["gcp", ["serviceAccountKey"]],
  ])("%s requires %o", (provider, keys) => {
    expect(credentialsCondition(configOf(provider), [...keys, "other"])).toMatchObject({ status: "True" });
    for (const missing of keys) {
      const rest = keys.filter((key) => key !== missing);
      expect(credentialsCondition(configOf(provider), rest)).toMatchObject({
        status: "False",
        reason: "CredentialsInvalid",
        message: expect.stringMatching(new RegExp(`is missing .*${missing}`)) as string,
      });
    }
  });

  it("local needs none", () => {
    const config = configOf("local", { credentialsRef: undefined });
    expect(credentialsCondition(config, undefined)).toMatchObject({ status: "True", reason: "NotNeeded" });
  });

  it("names the alternative for a provider that has two", () => {
    expect(credentialsCondition(configOf("proxmox"), [])).toMatchObject({
      message: expect.stringContaining("is missing username and password, or token") as string,
    });
  });

  it("reports a missing Secret", () => {
    expect(credentialsCondition(aProviderConfig(), undefined)).toMatchObject({
      message: expect.stringContaining("Secret butler-system/harvester not found") as string,
    });
  });

  it("rejects credentials in another namespace, except for the platform itself", () => {
    const credentialsRef = { name: "harvester", namespace: "butler-system" };
    const ofTeam = aProviderConfig({ namespace: "payments", spec: { credentialsRef } });
    expect(credentialsCondition(ofTeam, ["kubeconfig"])).toMatchObject({
      status: "False",
      reason: "CredentialsInvalid",
    });
    const ofPlatform = aProviderConfig({ spec: { credentialsRef: { name: "harvester", namespace: "vault" } } });
    expect(credentialsCondition(ofPlatform, ["kubeconfig"])).toMatchObject({ status: "True" });
  });
});

describe("credentialsKeyOf", () => {
  it.each([
    [undefined, "butler-system"],
    ["", "butler-system"],
    ["vault", "vault"],
  ])("reads namespace %o as %s", (namespace, expected) => {
    const config = aProviderConfig({ spec: { credentialsRef: { name: "harvester", namespace } } });
    expect(credentialsKeyOf(config)).toEqual({ name: "harvester", namespace: expected });
  });
});
