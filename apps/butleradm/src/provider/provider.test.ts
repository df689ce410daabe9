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
  it("lays words over the file", () => {
    expect(
      wantedSettings({
        type: "nutanix",
        settings: { provider: "nutanix", nutanix: { port: 1, endpoint: "https://a.example.com" } },
        words: ["nutanix.port=2", "limits.maxNodesPerTeam=9"],
      }),
    ).toEqual({ nutanix: { port: 2, endpoint: "https://a.example.com" }, limits: { maxNodesPerTeam: 9 } });
  });

  it.each<[string, Record<string, unknown>, string[], string]>([
    ["another kind", { provider: "aws" }, [], "not for nutanix"],
    ["a Secret", { credentialsRef: { name: "x" } }, [], "which this command decides itself"],
    ["a scope", { scope: { type: "team" } }, [], "which this command decides itself"],
    ["a word that is none", {}, ["nutanix"], "is not PATH=VALUE"],
    ["a block that is none", {}, ["password=x"], 'no setting "password"'],
  ])("refuses %s", (_what, settings, words, message) => {
    expect(() => wantedSettings({ type: "nutanix", settings, words })).toThrow(message);
  });

  it("reads the spec of a whole object", () => {
    expect(parseSettings("x", "kind: ProviderConfig\nspec: {aws: {region: a}}")).toEqual({ aws: { region: "a" } });
    expect(() => parseSettings("x", "kind: Secret\nspec: {}")).toThrow("x is not a ProviderConfig");
    expect(() => parseSettings("x", "- a")).toThrow("has no settings");
    expect(() => parseSettings("x", "a: [")).toThrow("x is not YAML");
  });
});

describe("credentials", () => {
  it("come from wherever they are, without the line end behind them", async () => {
    const options = { credentials: "-", credentialEnv: ["password=WORD"] };
    const found = await readCredentials(terminal("username: a\npassword: old\n", { WORD: "new\n" }), options);
    expect(found).toEqual({ username: "a", password: "new" });
  });

  it.each<[string, CredentialOptions, string]>([
    ["standard input twice", { credentials: "-", credentialFile: ["password=-"] }, "one thing only"],
    ["a file that is not there", { credentialFile: ["password=/nowhere/at/all"] }, "cannot be read"],
    ["a variable that is not there", { credentialEnv: ["password=NONE"] }, "no variable NONE"],
    ["nothing in it", { credentialFile: ["password=-"] }, "is empty"],
  ])("are refused for %s", async (_what, options, message) => {
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

  it("must be what the kind needs", () => {
    expect(() => requireCredentials("local", {})).not.toThrow();
    expect(() => requireCredentials("proxmox", { token: "x" })).not.toThrow();
    expect(() => requireCredentials("proxmox", { username: "x" })).toThrow("needs password, or token");
    expect(() => requireCredentials("local", { token: "x" })).toThrow("has no token");
  });
});

describe("inUseText", () => {
  it.each([
    [{ clusters: [], teams: [], isDefault: false }, undefined],
    [{ clusters: ["a/b"], teams: [], isDefault: false }, "clusters have machines there: a/b"],
    [
      { clusters: [], teams: ["x"], isDefault: true },
      "new clusters of teams go there: x; it is the platform's default in ButlerConfig butler",
    ],
  ])("says who uses %j", (use, text) => expect(inUseText(use)).toBe(text));
});
