import type { CelRule } from "./fields.ts";
import type { Resource } from "./define-resource.ts";
import type { KubeObject } from "./object.ts";
import { type StructuralSchema, toStructuralSchema } from "./structural-schema.ts";

/** A CustomResourceDefinition of apiextensions.k8s.io/v1 with one version. */
export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string;
    scope: "Namespaced" | "Cluster";
    names: {
      kind: string;
      listKind: string;
      plural: string;
      singular: string;
      shortNames?: string[];
      categories?: string[];
    };
    versions: {
      name: string;
      served: boolean;
      storage: boolean;
      additionalPrinterColumns?: object[];
      selectableFields?: { jsonPath: string }[];
      subresources?: object;
      schema: { openAPIV3Schema: StructuralSchema };
    }[];
  };
}

const apiVersionDoc =
  "Versioned schema of this representation of the object. See the Resources section of the Kubernetes API conventions.";
const kindDoc =
  "Kind of the object, in CamelCase. Cannot be updated. See the Types (Kinds) section of the Kubernetes API conventions.";

const specDoc = "Desired state of the object.";
const statusDoc = "Most recently observed state of the object. Populated by Butler. Read-only.";

/** The CRD of a declared kind. */
export function buildCrd(resource: Resource): CustomResourceDefinition {
  const { kind, plural, singular, group } = resource;
  const selectableFields = resource.selectableFields.map((jsonPath) => ({ jsonPath }));
  const subresources = {
    ...(resource.status === undefined ? {} : { status: {} }),
    ...(resource.scale === undefined ? {} : { scale: resource.scale }),
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      ...(Object.keys(resource.crdLabels).length > 0 ? { labels: { ...resource.crdLabels } } : {}),
    },
    spec: {
      group,
      scope: resource.scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
        ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
      },
      versions: [
        {
          name: resource.version,
          served: true,
          storage: true,
          ...(resource.columns.length > 0 ? { additionalPrinterColumns: [...resource.columns] } : {}),
          ...(selectableFields.length > 0 ? { selectableFields } : {}),
          ...(Object.keys(subresources).length > 0 ? { subresources } : {}),
          schema: { openAPIV3Schema: rootSchema(resource) },
        },
      ],
    },
  };
}

/** The schema of the whole object: metadata, spec and status. */
export function rootSchema(resource: Resource): StructuralSchema {
  const spec = toStructuralSchema(resource.spec, "spec");
  const rules: CelRule[] = [...resource.rules];
  return {
    type: "object",
    description: resource.doc,
    properties: {
      apiVersion: { type: "string", description: apiVersionDoc },
      kind: { type: "string", description: kindDoc },
      metadata: { type: "object" },
      spec: { description: specDoc, ...spec, ...(resource.isSpecOptional ? { default: {} } : {}) },
      ...(resource.status === undefined
        ? {}
        : { status: { description: statusDoc, ...toStructuralSchema(resource.status, "status") } }),
    },
    ...(resource.isSpecOptional ? {} : { required: ["spec"] }),
    ...(rules.length > 0 ? { "x-kubernetes-validations": rules } : {}),
  };
}
