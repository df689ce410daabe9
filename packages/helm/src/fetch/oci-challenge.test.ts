import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeRealm, parseChallenges } from "./oci-challenge.ts";

describe("a challenge", () => {
  it.each<[string, ReturnType<typeof parseChallenges>]>([
    [
      'Bearer realm="https://auth.example.com/token",service="registry.example.com",scope="repository:a/b:pull,push"',
      [
        {
          scheme: "bearer",
          parameters: {
            realm: "https://auth.example.com/token",
            service: "registry.example.com",
            scope: "repository:a/b:pull,push",
          },
        },
      ],
    ],
    [
      'Basic realm="a, \\"b\\"", Bearer realm=https://x',
      [
        { scheme: "basic", parameters: { realm: 'a, "b"' } },
        { scheme: "bearer", parameters: { realm: "https://x" } },
      ],
    ],
    ["BASIC", [{ scheme: "basic", parameters: {} }]],
    ['realm="x"', []],
    ["", []],
  ])("%s is read", (header, challenges) => expect(parseChallenges(header)).toEqual(challenges));

  it("never fails", () => {
    fc.assert(fc.property(fc.string(), (header) => Array.isArray(parseChallenges(header))));
    expect(parseChallenges(undefined)).toEqual([]);
    expect(parseChallenges(`Bearer ${'realm="'.repeat(100_000)}`).length).toBeGreaterThan(0);
  });

  it.each<[string, string | undefined, boolean | undefined]>([
    ["https://r.example", "https://auth.example/token", true],
    ["https://r.example", "http://r.example/token", undefined],
    ["https://r.example", "http://auth.example/token", undefined],
    ["http://10.0.0.1:5000", "http://10.0.0.1:5001/token", true],
    ["http://10.0.0.1:5000", "http://10.0.0.2:5000/token", undefined],
    ["http://10.0.0.1:5000", "https://auth.example/token", true],
    ["https://r.example", "https://user:pass@auth.example/token", undefined],
    ["https://r.example", "file:///etc/passwd", undefined],
    ["https://r.example", "/token", undefined],
    ["https://r.example", undefined, undefined],
  ])("of %s that sends to %s is followed with credentials: %s", (registry, realm, withCredentials) =>
    expect(judgeRealm(new URL(registry), realm)?.withCredentials).toBe(withCredentials),
  );
});
