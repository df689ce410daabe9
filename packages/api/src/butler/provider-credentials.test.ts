import { describe, expect, it } from "vitest";
import { credentialKeys, missingCredentials } from "./provider-credentials.ts";
import { providerTypes } from "./provider-type.ts";

describe("missingCredentials", () => {
  it.each(providerTypes)("is content with each set of keys of %s, and with more", (provider) => {
    for (const keys of credentialKeys[provider]) {
      expect(missingCredentials(provider, [...keys, "other"])).toBeUndefined();
    }
  });

  it("names what is missing, and every way to complete it", () => {
    expect(missingCredentials("nutanix", ["username"])).toBe("password");
    expect(missingCredentials("proxmox", ["password"])).toBe("username, or token");
    expect(missingCredentials("local", [])).toBeUndefined();
  });
});
