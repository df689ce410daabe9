import { builtinKinds } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { aConfigMap, anObject, aSecret } from "./builders.ts";

describe("anObject", () => {
  it("is complete without a word said about it", () => {
    expect(anObject(builtinKinds.Lease)).toEqual({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "blue", namespace: "default", uid: "uid-of-blue", resourceVersion: "1" },
    });
  });

  it("has no namespace where its kind is cluster-scoped", () => {
    expect(anObject(builtinKinds.Namespace, { name: "payments" }).metadata).not.toHaveProperty("namespace");
  });

  it("is what the test says where it says something", () => {
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
  it("carry their data as the API server does", () => {
    expect(aConfigMap({ data: { a: "x" } })).toMatchObject({ kind: "ConfigMap", data: { a: "x" } });
    expect(aSecret({ data: { a: "x" } })).toMatchObject({ kind: "Secret", data: { a: "eA==" } });
    expect(aConfigMap()).not.toHaveProperty("data");
  });
});
