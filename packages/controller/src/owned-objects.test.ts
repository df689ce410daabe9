import { builtinKinds, controllerReference, type Kind, type OwnerReference } from "@butler/resource";
import { Bug } from "@butler/std";
import { aConfigMap, anObject } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { ownedKindOf, ownerKeyOf, requireOwned, withOwner } from "./owned-objects.ts";

const Widget: Kind = { group: "demo.example", version: "v1", kind: "Widget", plural: "widgets", scope: "Namespaced" };
const Fleet: Kind = { group: "demo.example", version: "v1", kind: "Fleet", plural: "fleets", scope: "Cluster" };

const definition = { name: "widget", owns: [{ kind: builtinKinds.ConfigMap }, { kind: Widget }] };

describe("ownedKindOf", () => {
  it("finds the declared kind of an object", () => {
    expect(ownedKindOf(definition, aConfigMap())).toBe(builtinKinds.ConfigMap);
    expect(ownedKindOf(definition, anObject(Widget))).toBe(Widget);
  });

  it.each([
    ["another kind", { apiVersion: "v1", kind: "Secret" }],
    ["the same kind of another group", { apiVersion: "other.example/v1", kind: "Widget" }],
    ["the same kind in another version", { apiVersion: "demo.example/v2", kind: "Widget" }],
  ])("refuses %s", (_what, object) => {
    expect(() => ownedKindOf(definition, object)).toThrow(Bug);
  });

  it("refuses everything when nothing is declared", () => {
    expect(() => ownedKindOf({ name: "widget" }, aConfigMap())).toThrow("which it does not declare");
  });
});

describe("requireOwned", () => {
  it("accepts a declared kind and refuses any other", () => {
    expect(() => requireOwned(definition, Widget)).not.toThrow();
    expect(() => requireOwned(definition, Fleet)).toThrow("controller widget removes fleets.demo.example");
    expect(() => requireOwned({ name: "widget" }, Widget)).toThrow(Bug);
  });
});

describe("withOwner", () => {
  const owner = anObject(Widget, { name: "owner", namespace: "one", uid: "u1" });
  const fleet = anObject(Fleet, { name: "fleet", uid: "u2" });
  const foreign: OwnerReference = { apiVersion: "v1", kind: "Node", name: "n", uid: "u3" };

  it("makes the owner the controller of an object in its namespace", () => {
    expect(withOwner(aConfigMap({ namespace: "one" }), owner).metadata.ownerReferences).toEqual([
      {
        apiVersion: "demo.example/v1",
        kind: "Widget",
        name: "owner",
        uid: "u1",
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  it.each([
    ["an object in any namespace", aConfigMap({ namespace: "two" })],
    ["a cluster-scoped object", anObject(builtinKinds.Namespace)],
  ])("lets a cluster-scoped owner own %s", (_what, object) => {
    expect(withOwner(object, fleet).metadata.ownerReferences).toEqual([controllerReference(fleet)]);
  });

  it.each([
    ["in another namespace", aConfigMap({ namespace: "two" })],
    ["that is cluster-scoped", anObject(builtinKinds.Namespace)],
    ["whose plan states references", aConfigMap({ namespace: "one", ownerReferences: [foreign] })],
    ["whose plan wants no owner", aConfigMap({ namespace: "one", ownerReferences: [] })],
  ])("leaves an object alone %s", (_what, object) => {
    expect(withOwner(object, owner)).toBe(object);
  });

  it("does not modify its input", () => {
    const object = aConfigMap({ namespace: "one" });
    withOwner(object, owner);
    expect(object.metadata).not.toHaveProperty("ownerReferences");
  });
});

const owned = (reference: Partial<OwnerReference>, namespace?: string) =>
  aConfigMap({
    namespace,
    ownerReferences: [
      { apiVersion: "demo.example/v1", kind: "Widget", name: "owner", uid: "u1", controller: true, ...reference },
    ],
  });

describe("ownerKeyOf", () => {
  it("returns the owner that was added", () => {
    const owner = anObject(Widget, { name: "owner", namespace: "one" });
    expect(ownerKeyOf(Widget, withOwner(aConfigMap({ namespace: "one" }), owner))).toEqual({
      name: "owner",
      namespace: "one",
    });
  });

  it("recognizes the owner in another version of its group", () => {
    expect(ownerKeyOf(Widget, owned({ apiVersion: "demo.example/v1beta1" }, "one"))).toEqual({
      name: "owner",
      namespace: "one",
    });
  });

  it("returns no namespace for a cluster-scoped owner", () => {
    const object = owned({ kind: "Fleet" }, "one");
    expect(ownerKeyOf(Fleet, object)).toEqual({ name: "owner" });
  });

  it.each([
    ["no owner", aConfigMap()],
    ["an owner that is not the controller", owned({ controller: undefined }, "one")],
    ["a controller of another kind", owned({ kind: "Gadget" }, "one")],
    ["a controller of the same kind in another group", owned({ apiVersion: "other.example/v1" }, "one")],
  ])("returns nothing for an object of %s", (_what, object) => {
    expect(ownerKeyOf(Widget, object)).toBeUndefined();
  });
});
