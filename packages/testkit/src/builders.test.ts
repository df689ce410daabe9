import { builtinKinds } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { aConfigMap, anObject, aSecret } from "./builders.ts";

describe("anObject", () => {
  it("is complete by default", () => {
    expect(anObject(builtinKinds.Lease)).toEqual({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "blue", namespace: "default", uid: "uid-of-blue", resourceVersion: "1" },
    });
  });

  it("has no namespace if its kind is cluster-scoped", () => {
    expect(anObject(builtinKinds.Namespace, { name: "payments" }).metadata).not.toHaveProperty("namespace");
  });

  it("uses the values that the test specifies", () => {
    const object = anObject(builtinKinds.Lease, {
      name: "green",
      uid: "u",
      version: 7,
      labels: { a: "b" },
      body: { spec: {} },
    });
    expect(object).toMatchObject({
      metadata: { name: "green", uid: "u", resourceVersion: "7", labels: { a: "b" } },
      spec: {},
    });
  });
});

describe("aConfigMap and aSecret", () => {
  it("encode their data like the API server", () => {
    expect(aConfigMap({ data: { a: "x" } })).toMatchObject({ kind: "ConfigMap", data: { a: "x" } });
    expect(aSecret({ data: { a: "x" } })).toMatchObject({ kind: "Secret", data: { a: "eA==" } });
    expect(aConfigMap()).not.toHaveProperty("data");
  });
});
