import { InvalidInput } from "@butler/std";
import { describe, expect, it } from "vitest";
import { kindsIn, parseApiVersion } from "./discovery.ts";
import { discoveryPath } from "./paths.ts";

describe("an apiVersion", () => {
  it.each([
    ["v1", { group: "", version: "v1" }, "/api/v1"],
    ["apps/v1", { group: "apps", version: "v1" }, "/apis/apps/v1"],
    ["a b/v1?x", { group: "a b", version: "v1?x" }, "/apis/a%20b/v1%3Fx"],
  ])("%s maps to the path of its resources", (apiVersion, parsed, path) => {
    expect(parseApiVersion(apiVersion)).toEqual(parsed);
    expect(discoveryPath(apiVersion)).toBe(path);
  });

  it.each(["", "/", "apps/", "/v1", "a/b/c", "..", "../v1", "apps/.."])("%j is rejected", (apiVersion) => {
    expect(() => discoveryPath(apiVersion)).toThrow(InvalidInput);
  });
});

describe("the resource list of a server", () => {
  const verbs = ["create", "get", "list"];

  it("is read as kinds, without subresources and without virtual resources", () => {
    const resources = [
      { name: "deployments", kind: "Deployment", namespaced: true, verbs },
      { name: "deployments/scale", kind: "Scale", namespaced: true, verbs: ["get"] },
      { name: "gateways", kind: "Gateway", namespaced: false, verbs },
      { name: "reviews", kind: "Review", namespaced: false, verbs: ["create"] },
    ];
    expect(kindsIn("apps/v1", { resources })).toEqual([
      { group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" },
      { group: "apps", version: "v1", kind: "Gateway", plural: "gateways", scope: "Cluster" },
    ]);
  });

  it.each([[undefined], [null], ["text"], [{}], [{ resources: null }], [{ resources: [null, 1, {}] }]])(
    "is empty when it is %j",
    (answer) => expect(kindsIn("v1", answer)).toEqual([]),
  );
});
