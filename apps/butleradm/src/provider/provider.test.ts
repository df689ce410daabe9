import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CredentialOptions, parseCredentials, readCredentials, requireCredentials } from "./credentials.ts";
import { inUseText } from "./remove.ts";
import { parseSettings, wantedSettings } from "./settings.ts";

const terminal = (input = "", environment: Record<string, string> = {}) => ({
  readInput: () => Promise.resolve(input),
  environment,
});

describe("wantedSettings", () => {
  it("overrides the file with assignments", () => {
    expect(
      wantedSettings({
        type: "nutanix",
        settings: { provider: "nutanix", nutanix: { port: 1, endpoint: "https://a.example.com" } },
        words: ["nutanix.port=2", "limits.maxNodesPerTeam=9"],
      }),
    ).toEqual({ nutanix: { port: 2, endpoint: "https://a.example.com" }, limits: { maxNodesPerTeam: 9 } });
  });

  it.each<[string, Record<string, unknown>, string[], string]>([
    ["another kind", { provider: "aws" }, [], "but --type is nutanix"],
    ["a Secret", { credentialsRef: { name: "x" } }, [], "must not contain credentialsRef or scope"],
    ["a scope", { scope: { type: "team" } }, [], "must not contain credentialsRef or scope"],
    ["an invalid assignment", {}, ["nutanix"], "is not PATH=VALUE"],
    ["an unknown block", {}, ["password=x"], 'unknown provider setting: "password"'],
  ])("rejects %s", (_what, settings, words, message) => {
    expect(() => wantedSettings({ type: "nutanix", settings, words })).toThrow(message);
  });

  it("parses the spec of a whole object", () => {
    expect(parseSettings("x", "kind: ProviderConfig\nspec: {aws: {region: a}}")).toEqual({ aws: { region: "a" } });
    expect(() => parseSettings("x", "kind: Secret\nspec: {}")).toThrow("x is not a ProviderConfig");
    expect(() => parseSettings("x", "- a")).toThrow("contains no provider settings");
    expect(() => parseSettings("x", "a: [")).toThrow("x is not valid YAML");
  });
});

describe("credentials", () => {
  it("are read from all sources, without a trailing newline", async () => {
    const options = { credentials: "-", credentialEnv: ["password=WORD"] };
    const found = await readCredentials(terminal("username: a\npassword: old\n", { WORD: "new\n" }), options);
    expect(found).toEqual({ username: "a", password: "new" });
  });

  it.each<[string, CredentialOptions, string]>([
    ["standard input twice", { credentials: "-", credentialFile: ["password=-"] }, "only one option"],
    ["a missing file", { credentialFile: ["password=/nowhere/at/all"] }, "cannot read /nowhere/at/all"],
    ["a missing variable", { credentialEnv: ["password=NONE"] }, "environment variable NONE is not set"],
    ["an empty value", { credentialFile: ["password=-"] }, "is empty"],
  ])("are rejected for %s", async (_what, options, message) => {
    await expect(readCredentials(terminal("\n"), options)).rejects.toThrow(message);
  });

  it("are never repeated in an error", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), (text) => {
        try {
          requireCredentials("nutanix", parseCredentials(`x: {y: ${JSON.stringify(`value:${text}`)}}`));
        } catch (error) {
          expect(String(error)).not.toContain("value:");
        }
      }),
    );
  });

  it("must match the provider type", () => {
    expect(() => requireCredentials("local", {})).not.toThrow();
    expect(() => requireCredentials("proxmox", { token: "x" })).not.toThrow();
    expect(() => requireCredentials("proxmox", { username: "x" })).toThrow("requires password, or token");
    expect(() => requireCredentials("local", { token: "x" })).toThrow(
      "token is not a valid credential for provider type local",
    );
  });
});

describe("inUseText", () => {
  it.each([
    [{ clusters: [], teams: [], isDefault: false }, undefined],
    [{ clusters: ["a/b"], teams: [], isDefault: false }, "worker machines in clusters: a/b"],
    [
      { clusters: [], teams: ["x"], isDefault: true },
      "default provider for teams: x; platform default in ButlerConfig butler",
    ],
  ])("describes the users of %j", (use, text) => expect(inUseText(use)).toBe(text));
});
