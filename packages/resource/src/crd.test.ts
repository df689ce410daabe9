import { describe, expect, it } from "vitest";
import { z } from "zod";
import { conditions } from "./conditions.ts";
import { buildCrd, rootSchema } from "./crd.ts";
import { defineResource } from "./define-resource.ts";
import { immutable, int32 } from "./fields.ts";

const Bell = defineResource({
  group: "example.dev",
  version: "v1",
  kind: "Bell",
  scope: "Namespaced",
  shortNames: ["bl"],
  categories: ["house"],
  doc: "Bell calls the porter.",
  crdLabels: { "example.dev/contract": "v1" },
  rules: [{ rule: "size(self.metadata.name) <= 8", message: "metadata.name has at most 8 characters" }],
  spec: z.object({
    room: immutable(z.string().min(1), "room").describe("Room that the bell is in."),
    rings: int32().min(1).default(2).describe("How often it rings."),
  }),
  status: z.object({ rung: int32().optional().describe("How often it has rung.") }),
  columns: { Room: ".spec.room" },
  selectableFields: [".spec.room"],
  scale: { specReplicasPath: ".spec.rings", statusReplicasPath: ".status.rung" },
  example: { metadata: { name: "door" }, spec: { room: "hall" } },
});

describe("buildCrd", () => {
  it("generates the complete CRD of a small kind", () => {
    expect(buildCrd(Bell)).toMatchInlineSnapshot(`
      {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
          "labels": {
            "example.dev/contract": "v1",
          },
          "name": "bells.example.dev",
        },
        "spec": {
          "group": "example.dev",
          "names": {
            "categories": [
              "house",
            ],
            "kind": "Bell",
            "listKind": "BellList",
            "plural": "bells",
            "shortNames": [
              "bl",
            ],
            "singular": "bell",
          },
          "scope": "Namespaced",
          "versions": [
            {
              "additionalPrinterColumns": [
                {
                  "jsonPath": ".spec.room",
                  "name": "Room",
                  "type": "string",
                },
                {
                  "jsonPath": ".metadata.creationTimestamp",
                  "name": "Age",
                  "type": "date",
                },
              ],
              "name": "v1",
              "schema": {
                "openAPIV3Schema": {
                  "description": "Bell calls the porter.",
                  "properties": {
                    "apiVersion": {
                      "description": "Versioned schema of this representation of the object. See the Resources section of the Kubernetes API conventions.",
                      "type": "string",
                    },
                    "kind": {
                      "description": "Kind of the object, in CamelCase. Cannot be updated. See the Types (Kinds) section of the Kubernetes API conventions.",
                      "type": "string",
                    },
                    "metadata": {
                      "type": "object",
                    },
                    "spec": {
                      "description": "Desired state of the object.",
                      "properties": {
                        "rings": {
                          "default": 2,
                          "description": "How often it rings.",
                          "format": "int32",
                          "minimum": 1,
                          "type": "integer",
                        },
                        "room": {
                          "description": "Room that the bell is in.",
                          "minLength": 1,
                          "type": "string",
                          "x-kubernetes-validations": [
                            {
                              "message": "room is immutable",
                              "rule": "self == oldSelf",
                            },
                          ],
                        },
                      },
                      "required": [
                        "room",
                      ],
                      "type": "object",
                    },
                    "status": {
                      "description": "Most recently observed state of the object. Populated by Butler. Read-only.",
                      "properties": {
                        "rung": {
                          "description": "How often it has rung.",
                          "format": "int32",
                          "type": "integer",
                        },
                      },
                      "type": "object",
                    },
                  },
                  "required": [
                    "spec",
                  ],
                  "type": "object",
                  "x-kubernetes-validations": [
                    {
                      "message": "metadata.name has at most 8 characters",
                      "rule": "size(self.metadata.name) <= 8",
                    },
                  ],
                },
              },
              "selectableFields": [
                {
                  "jsonPath": ".spec.room",
                },
              ],
              "served": true,
              "storage": true,
              "subresources": {
                "scale": {
                  "specReplicasPath": ".spec.rings",
                  "statusReplicasPath": ".status.rung",
                },
                "status": {},
              },
            },
          ],
        },
      }
    `);
  });

  it("omits unset properties of a kind", () => {
    const crd = buildCrd(
      defineResource({
        group: "example.dev",
        version: "v1",
        kind: "Plate",
        scope: "Cluster",
        doc: "Plate holds something.",
        spec: z.object({ size: int32() }),
        example: {},
      }),
    );
    expect(crd.metadata).toEqual({ name: "plates.example.dev" });
    expect(crd.spec.names).toEqual({ kind: "Plate", listKind: "PlateList", plural: "plates", singular: "plate" });
    expect(Object.keys(crd.spec.versions[0] ?? {})).toEqual(["name", "served", "storage", "schema"]);
    expect(crd.spec.versions[0]?.schema.openAPIV3Schema.properties?.["status"]).toBeUndefined();
  });
});

const withSpec = (spec: z.ZodType) =>
  rootSchema(
    defineResource({
      group: "example.dev",
      version: "v1",
      kind: "Plate",
      scope: "Cluster",
      doc: "Plate holds something.",
      spec,
      status: z.object({ conditions: conditions("Ready") }),
      example: {},
    }),
  );

describe("rootSchema", () => {
  it("makes the spec optional if none of its fields is required", () => {
    const root = withSpec(z.object({ size: int32().default(1), colour: z.string().optional() }));
    expect(root.required).toBeUndefined();
    expect(root.properties?.["spec"]?.default).toEqual({});
  });

  it("requires the spec otherwise", () => {
    const root = withSpec(z.object({ size: int32() }));
    expect(root.required).toEqual(["spec"]);
    expect(root.properties?.["spec"]?.default).toBeUndefined();
  });

  it("reports errors with the path from the root of the object", () => {
    expect(() => withSpec(z.object({ size: z.union([z.string(), z.boolean()]) }))).toThrow("spec.size: unions are");
  });
});
