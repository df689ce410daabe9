import { z } from "zod";
import type { CelRule } from "./fields.ts";
import { apiVersionOf, type Kind } from "./kind.ts";
import type { KubeObject, ObjectMeta } from "./object.ts";

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly jsonPath: string;
  readonly description?: string;
  /** 0 is always shown; anything above only with `-o wide`. */
  readonly priority?: number;
}

/** Where the value of a column is: the JSON path alone if it is text. */
type ColumnValue = string | (Omit<PrinterColumn, "name" | "type"> & Partial<Pick<PrinterColumn, "type">>);

/** Paths of the scale subresource, for `kubectl scale` and autoscalers. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface ResourceDefinition<Spec extends z.ZodType, Status extends z.ZodType | undefined> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Defaults to the kind in lower case plus `s`. */
  readonly plural?: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Description of the kind; shown by `kubectl explain` and in the reference. */
  readonly doc: string;
  readonly spec: Spec;
  readonly status?: Status;
  /** CEL rules over the whole object (`self.metadata.name`, `self.spec`, `self.status`). */
  readonly rules?: readonly CelRule[];
  /** By name, in order, and followed by the age. */
  readonly columns?: Readonly<Record<string, ColumnValue>>;
  readonly scale?: ScalePaths;
  /** JSON paths of fields for field selectors, such as `.spec.poolRef.name`. */
  readonly selectableFields?: readonly string[];
  /** Labels of the CRD object itself, for example a Cluster API contract. */
  readonly crdLabels?: Readonly<Record<string, string>>;
  /** A valid manifest without its apiVersion and kind; shown in the reference and applied by a test. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** A kind with columns of its own would lose the one that kubectl shows by default. */
const age: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

/** A single declaration, the source of types, CRD, reference and `kubectl explain` text. */
export interface Resource<
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodType | undefined = z.ZodType | undefined,
> extends Kind {
  readonly apiVersion: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly doc: string;
  readonly spec: Spec;
  readonly status: Status;
  readonly rules: readonly CelRule[];
  readonly columns: readonly PrinterColumn[];
  readonly scale: ScalePaths | undefined;
  readonly selectableFields: readonly string[];
  readonly crdLabels: Readonly<Record<string, string>>;
  readonly example: Readonly<Record<string, unknown>>;
  /** Whether the status has conditions: false for most built-in kinds that are partly declared here. */
  readonly hasConditions: boolean;
  /** Whether `spec` is optional: true if all of its fields are optional. */
  readonly isSpecOptional: boolean;
}

type StatusOutput<Status> = Status extends z.ZodType ? { status?: z.output<Status> | undefined } : object;
type StatusInput<Status> = Status extends z.ZodType ? { status?: z.input<Status> | undefined } : object;

/** An object of the kind as returned by the API server, with defaults set. */
export type ObjectOf<R> =
  R extends Resource<infer Spec, infer Status>
    ? KubeObject & { metadata: ObjectMeta; spec: z.output<Spec> } & StatusOutput<Status>
    : never;

/** An object of the kind as written by clients: fields with a default are optional. */
export type InputOf<R> =
  R extends Resource<infer Spec, infer Status>
    ? KubeObject & { metadata: ObjectMeta; spec: z.input<Spec> } & StatusInput<Status>
    : never;

/** Declares a kind. */
export function defineResource<Spec extends z.ZodType, Status extends z.ZodType | undefined = undefined>(
  definition: ResourceDefinition<Spec, Status>,
): Resource<Spec, Status> {
  const singular = definition.kind.toLowerCase();
  const apiVersion = apiVersionOf(definition);
  // Parsing initializes the schema, which is slow and unnecessary for programs that only use the name of the kind.
  let isSpecOptional: boolean | undefined;
  return Object.freeze({
    group: definition.group,
    version: definition.version,
    kind: definition.kind,
    plural: definition.plural ?? `${singular}s`,
    singular,
    apiVersion,
    scope: definition.scope,
    shortNames: definition.shortNames ?? [],
    categories: definition.categories ?? [],
    doc: definition.doc,
    spec: definition.spec,
    status: definition.status as Status,
    rules: definition.rules ?? [],
    columns: definition.columns === undefined ? [] : [...printerColumns(definition.columns), age],
    scale: definition.scale,
    selectableFields: definition.selectableFields ?? [],
    crdLabels: definition.crdLabels ?? {},
    example: { apiVersion, kind: definition.kind, ...definition.example },
    hasConditions: definition.status instanceof z.ZodObject && "conditions" in definition.status.shape,
    get isSpecOptional(): boolean {
      return (isSpecOptional ??= definition.spec.safeParse({}).success);
    },
  });
}

function printerColumns(columns: Readonly<Record<string, ColumnValue>>): PrinterColumn[] {
  return Object.entries(columns).map(([name, value]) => ({
    name,
    type: "string",
    ...(typeof value === "string" ? { jsonPath: value } : value),
  }));
}

/**
 * Parses unknown data as an object of the kind and sets defaults; throws a ZodError with the path of each invalid
 * field.
 */
export function parseObject<R extends Resource>(resource: R, value: unknown): ObjectOf<R> {
  const schema = z.looseObject({
    apiVersion: z.literal(resource.apiVersion),
    kind: z.literal(resource.kind),
    metadata: z.looseObject({ name: z.string().min(1) }),
    spec: resource.isSpecOptional ? resource.spec.prefault({}) : resource.spec,
    ...(resource.status === undefined ? {} : { status: resource.status.optional() }),
  });
  return schema.parse(value) as ObjectOf<R>;
}
