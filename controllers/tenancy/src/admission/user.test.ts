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
    ["is made without a role", self, undefined, {}],
    ["is made with a role by a platform administrator", root, undefined, spec({ platformRole: "admin" })],
    ["is made with a role by Butler's server", server, undefined, spec({ isPlatformAdmin: true })],
    [
      "is not made with a role by others",
      self,
      undefined,
      spec({ platformRole: "admin" }),
      "FORBIDDEN spec.platformRole",
    ],
    [
      "is not made with a viewer's role by others",
      self,
      undefined,
      spec({ platformRole: "viewer" }),
      "FORBIDDEN spec.platformRole",
    ],
    [
      "is not made with the older flag by others",
      self,
      undefined,
      spec({ isPlatformAdmin: true }),
      "FORBIDDEN spec.isPlatformAdmin",
    ],
    ["does not promote itself", self, {}, spec({ platformRole: "admin" }), "FORBIDDEN spec.platformRole"],
    [
      "does not promote itself by the older flag",
      self,
      {},
      spec({ isPlatformAdmin: true }),
      "FORBIDDEN spec.isPlatformAdmin",
    ],
    [
      "does not go from viewer to administrator",
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
      "takes no address that is in use",
      root,
      undefined,
      spec({ email: "bob@example.com" }),
      "DUPLICATE spec.email: bob@example.com belongs to User bob",
    ],
    [
      "takes none that is in use in other capitals",
      root,
      undefined,
      spec({ email: "BOB@Example.com" }),
      "DUPLICATE spec.email",
    ],
    ["does not change to an address in use", root, {}, spec({ email: "Bob@example.com" }), "DUPLICATE spec.email"],
    ["changes its capitals by a platform administrator", root, {}, spec({ email: "Ada@example.com" })],
    ["does not become somebody else", self, {}, spec({ email: "new@example.com" }), "FORBIDDEN spec.email"],
    [
      "does not become another's at the identity provider",
      self,
      spec({ authType: "sso", ssoSubject: "1" }),
      spec({ authType: "sso", ssoSubject: "2" }),
      "FORBIDDEN spec.ssoSubject",
    ],
    ["does not let itself in again", self, spec({ disabled: true }), {}, "FORBIDDEN spec.disabled"],
    ["changes what is its own", self, {}, spec({ displayName: "Ada", sshKeys: [{ name: "a", publicKey: "b" }] })],
    [
      "may be labelled although its address is double",
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
