import { describeError, InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameServer, parseRepositoryAddress, registryPathOf, requireChartName } from "./repository-address.ts";

describe("the URL of a repository", () => {
  it.each([
    ["https://charts.example.com", "http", "https://charts.example.com/"],
    ["https://charts.example.com/stable/", "http", "https://charts.example.com/stable"],
    ["HTTP://charts.example.com:8080/a//", "http", "http://charts.example.com:8080/a"],
    ["oci://registry.example.com/charts", "oci", "https://registry.example.com/charts"],
    ["oci://registry.example.com:5000", "oci", "https://registry.example.com:5000/"],
    ["oci://127.0.0.1:5000/charts", "oci", "http://127.0.0.1:5000/charts"],
    ["oci://[::1]:5000/charts", "oci", "http://[::1]:5000/charts"],
    ["oci://10.0.0.5:5000/charts", "oci", "https://10.0.0.5:5000/charts"],
    ["oci+http://10.0.0.5:5000/charts", "oci", "http://10.0.0.5:5000/charts"],
  ])("%s is read", (text, kind, url) => {
    const address = parseRepositoryAddress(text);
    expect([address.kind, address.url.href]).toEqual([kind, url]);
  });

  it.each([
    ["", "start with"],
    ["charts.example.com", "start with"],
    ["file:///etc/passwd", "start with"],
    ["ftp://charts.example.com", "start with"],
    ["constructor://charts.example.com", "start with"],
    ["https:///charts", "start with"],
    ["https://charts example.com", "not a URL"],
    ["https://", "start with"],
    ["https://user:hunter2@charts.example.com", "credentials"],
    ["oci://hunter2@charts.example.com/a", "credentials"],
    ["oci://user:hunter2@127.0.0.1/a", "credentials"],
    ["https://charts.example.com/a?token=hunter2", "query"],
    ["https://charts.example.com/a#hunter2", "query"],
    ["https://charts.example.com/a?", "query"],
  ])("%s is rejected and not quoted", (text, why) => {
    let error: unknown;
    try {
      parseRepositoryAddress(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(InvalidInput);
    expect(describeError(error)).toContain(why);
    expect(describeError(error)).not.toContain("hunter2");
  });

  it("is read or rejected for any input, and never keeps credentials", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((rest) => `https://u:p@a.example/${rest}`),
      fc.string().map((rest) => `oci://${rest}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const { url } = parseRepositoryAddress(text);
          expect([url.username, url.password, url.search, url.hash]).toEqual(["", "", "", ""]);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
        }
      }),
    );
  });

  it("has a path in a registry", () => {
    const path = (text: string, name: string) => registryPathOf(parseRepositoryAddress(text), name);
    expect(path("oci://r.example.com/a/b", "web")).toBe("a/b/web");
    expect(path("oci://r.example.com", "web")).toBe("web");
    expect(() => path("oci://r.example.com/A", "web")).toThrow(InvalidInput);
    expect(() => path("oci://r.example.com/a", "Web")).toThrow(InvalidInput);
    expect(() => path("oci://r.example.com/%2e%2e/a", "web%2f")).toThrow(InvalidInput);
  });

  it.each(["", "../web", "a/b", "a..b", ".web", "web?x", "web#x", "a b", "x".repeat(300)])(
    "refuses the chart %j",
    (name) => expect(() => requireChartName(name)).toThrow(InvalidInput),
  );

  it.each([
    ["http://a.example", "http://a.example/x", true],
    ["http://a.example", "https://a.example/x", true],
    ["https://a.example", "http://a.example/x", false],
    ["http://a.example", "http://a.example:81/x", false],
    ["http://a.example:81", "https://a.example/x", false],
    ["http://a.example", "http://b.example", false],
    ["https://a.example", "https://sub.a.example", false],
  ])("%s and %s are the same server: %s", (one, other, same) =>
    expect(isSameServer(new URL(one), new URL(other))).toBe(same),
  );
});
