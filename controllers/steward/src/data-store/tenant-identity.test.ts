import { InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { etcdPrefixFlag, tenantIdentity } from "./tenant-identity.ts";

const uid = "0b4f9a52-7c1d-4a6e-9f53-2f1b6c8d7e90";
/** Real uids, and whatever else passes for one, close to each other so that they would collide if they could. */
const uids = fc.oneof(fc.uuid(), fc.stringMatching(/^[ab01]([ab01-]{0,4}[ab01])?$/));

/** The end of a prefix's range: its last byte is "/", and the next one is "0". */
const endOf = (prefix: string): string => `${prefix.slice(0, -1)}0`;
const holds = (prefix: string, key: string): boolean => key >= prefix && key < endOf(prefix);

describe("the identity of a tenant", () => {
  it("is derived from the UID", () => {
    expect(tenantIdentity(uid)).toEqual({ user: `tenant-${uid}`, role: `tenant-${uid}`, prefix: `/butler/${uid}/` });
    expect(etcdPrefixFlag(tenantIdentity(uid))).toBe(`/butler/${uid}`);
  });

  it("never overlaps with that of another", () => {
    const property = fc.property(uids, uids, fc.string({ maxLength: 8 }), (left, right, tail) => {
      fc.pre(left !== right);
      const [one, other] = [tenantIdentity(left), tenantIdentity(right)];
      expect(one.user).not.toBe(other.user);
      expect(one.role).not.toBe(other.role);
      expect(one.prefix.startsWith(other.prefix)).toBe(false);
      expect(holds(one.prefix, other.prefix)).toBe(false);
      expect(holds(one.prefix, `${other.prefix}${tail}`)).toBe(false);
      expect(holds(one.prefix, endOf(other.prefix))).toBe(false);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it("holds every key that an API server with its prefix writes", () => {
    fc.assert(
      fc.property(uids, fc.string({ minLength: 1 }), (some, path) => {
        const identity = tenantIdentity(some);
        return holds(identity.prefix, `${etcdPrefixFlag(identity)}/${path}`);
      }),
    );
  });

  it("is valid in a certificate and in etcd", () => {
    fc.assert(
      fc.property(uids, (some) => {
        const { user, prefix } = tenantIdentity(some);
        return user.length <= 63 && user !== "root" && prefix.startsWith("/") && prefix.endsWith("/");
      }),
    );
  });

  it.each(["", "/", "a/b", "../a", "a/", "A", "-a", "a-", "a b", "a\0", "a\n", "ä", "a".repeat(57), "%2f", "a_b"])(
    "cannot be derived from %j",
    (rubbish) => {
      expect(() => tenantIdentity(rubbish)).toThrow(InvalidInput);
    },
  );
});
