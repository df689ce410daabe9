import { describe, expect, it } from "vitest";
import { credentialKeys, missingCredentials } from "./provider-credentials.ts";
import { providerTypes } from "./provider-type.ts";

describe("missingCredentials", () => {
  it.each(providerTypes)("accepts each set of keys of %s, and additional keys", (provider) => {
    for (const keys of credentialKeys[provider]) {
      expect(missingCredentials(provider, [...keys, "other"])).toBeUndefined();
    }
  });

  it("lists the missing keys of every set", () => {
    expect(missingCredentials("nutanix", ["username"])).toBe("password");
    expect(missingCredentials("proxmox", ["password"])).toBe("username, or token");
    expect(missingCredentials("local", [])).toBeUndefined();
  });
});
