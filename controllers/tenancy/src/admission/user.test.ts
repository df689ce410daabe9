import { describe, expect, it } from "vitest";
import type { Requester } from "./requester.ts";
import { ada, aUser, type Traits } from "./testing/objects.ts";
import { decideUser } from "./user.ts";

const by = (email: string, more: Partial<Requester> = {}): Requester => ({
  person: { email, groups: [] },
  isTrusted: false,
  isPlatformAdmin: false,
  ...more,
});
const [self, root, server] = [by(ada), by("root", { isPlatformAdmin: true }), by("server", { isTrusted: true })];
const spec = (given: Record<string, unknown>): Traits => ({ spec: given });

describe("an account", () => {
  it.each<[string, Requester, Traits | undefined, Traits, string?]>([
    ["is created without a role", self, undefined, {}],
    ["is created with a role by a platform administrator", root, undefined, spec({ platformRole: "admin" })],
    ["is created with a role by Butler's server", server, undefined, spec({ isPlatformAdmin: true })],
    [
      "is not created with a role by others",
      self,
      undefined,
      spec({ platformRole: "admin" }),
      "FORBIDDEN spec.platformRole",
    ],
    [
      "is not created with the viewer role by others",
      self,
      undefined,
      spec({ platformRole: "viewer" }),
      "FORBIDDEN spec.platformRole",
    ],
    [
      "is not created with the legacy flag by others",
      self,
      undefined,
      spec({ isPlatformAdmin: true }),
      "FORBIDDEN spec.isPlatformAdmin",
    ],
    ["does not promote itself", self, {}, spec({ platformRole: "admin" }), "FORBIDDEN spec.platformRole"],
    [
      "does not promote itself with the legacy flag",
      self,
      {},
      spec({ isPlatformAdmin: true }),
      "FORBIDDEN spec.isPlatformAdmin",
    ],
    [
      "does not promote itself from viewer to administrator",
      self,
      spec({ platformRole: "viewer" }),
      spec({ platformRole: "admin" }),
      "FORBIDDEN spec.platformRole",
    ],
    [
      "does not demote another",
      self,
      spec({ platformRole: "admin" }),
      spec({ platformRole: "" }),
      "FORBIDDEN spec.platformRole",
    ],
    ["is promoted by a platform administrator", root, {}, spec({ platformRole: "admin" })],
    [
      "rejects an address that is in use",
      root,
      undefined,
      spec({ email: "bob@example.com" }),
      "DUPLICATE spec.email: bob@example.com is already used by User bob",
    ],
    [
      "rejects an address that is in use in another case",
      root,
      undefined,
      spec({ email: "BOB@Example.com" }),
      "DUPLICATE spec.email",
    ],
    ["does not change to an address in use", root, {}, spec({ email: "Bob@example.com" }), "DUPLICATE spec.email"],
    ["may change the case of its address by a platform administrator", root, {}, spec({ email: "Ada@example.com" })],
    ["does not change its own address", self, {}, spec({ email: "new@example.com" }), "FORBIDDEN spec.email"],
    [
      "does not change its subject at the identity provider",
      self,
      spec({ authType: "sso", ssoSubject: "1" }),
      spec({ authType: "sso", ssoSubject: "2" }),
      "FORBIDDEN spec.ssoSubject",
    ],
    ["does not enable itself", self, spec({ disabled: true }), {}, "FORBIDDEN spec.disabled"],
    ["may change its own settings", self, {}, spec({ displayName: "Ada", sshKeys: [{ name: "a", publicKey: "b" }] })],
    [
      "may be labeled although its address is a duplicate",
      self,
      spec({ email: "bob@example.com" }),
      { ...spec({ email: "bob@example.com" }), metadata: { labels: { a: "b" } } },
    ],
  ])("%s", (_what, requester, before, after, refusal) => {
    const users = [aUser(), aUser({ metadata: { name: "bob" }, spec: { email: "bob@example.com" } })];
    const reasons = decideUser({ user: aUser(after), before: before && aUser(before), requester, users });
    const texts = reasons.map(({ code, path, message }) => `${code} ${path}: ${message}`);
    if (refusal === undefined) expect(texts).toEqual([]);
    else {
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain(refusal);
    }
  });
});
