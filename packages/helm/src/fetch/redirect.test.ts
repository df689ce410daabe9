import { describe, expect, it } from "vitest";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { detourTarget, judgeDetour, type Purpose } from "./redirect.ts";

const outcome = (to: string, purpose: Purpose, { isDigestKnown = true, from = "https://a.example/charts" } = {}) => {
  try {
    const repository = new URL(from);
    return judgeDetour({ repository, from: repository, to: new URL(to), purpose, isDigestKnown }).withCredentials;
  } catch (error) {
    if (error instanceof ChartUnavailable) return error.reason;
    throw error;
  }
};

describe("a redirect", () => {
  it.each([
    ["https://a.example/elsewhere", true, true],
    ["https://b.example/x", "RepositoryRedirected", false],
    ["https://a.example:8443/x", "RepositoryRedirected", false],
    ["http://a.example/x", "RepositoryRedirected", "RepositoryRedirected"],
    ["http://b.example/x", "RepositoryRedirected", "RepositoryRedirected"],
    ["ftp://a.example/x", "RepositoryRedirected", "RepositoryRedirected"],
    ["file:///etc/passwd", "RepositoryRedirected", "RepositoryRedirected"],
    ["oci://a.example/x", "RepositoryRedirected", "RepositoryRedirected"],
    ["https://user:pass@a.example/x", "RepositoryRedirected", "RepositoryRedirected"],
  ])("to %s is %s for an index and %s for an archive", (to, metadata, archive) => {
    expect([outcome(to, "metadata"), outcome(to, "archive")]).toEqual([metadata, archive]);
  });

  it("of an archive to another host needs a digest", () => {
    expect(outcome("https://b.example/x", "archive", { isDigestKnown: false })).toBe("RepositoryRedirected");
    expect(outcome("https://a.example/x", "archive", { isDigestKnown: false })).toBe(true);
  });

  it("may go from HTTP to HTTP, and to https on the same host with credentials", () => {
    const from = "http://a.example/charts";
    expect(outcome("http://b.example/x", "archive", { from })).toBe(false);
    expect(outcome("https://a.example/x", "metadata", { from })).toBe(true);
  });

  it("is resolved relative to its origin", () => {
    const from = new URL("https://a.example/charts/index.yaml");
    expect(detourTarget(from, "../x")?.href).toBe("https://a.example/x");
    expect([detourTarget(from, undefined), detourTarget(from, ""), detourTarget(from, "http://[")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
