import type { AddonDefinition } from "@butler/api";
import { ButlerError, isRecord, parseDurationMs } from "@butler/std";
import semver from "semver";
import { readRange } from "./kubernetes-range.ts";
import { mergeValues, type Values } from "./merge-values.ts";
import { definedPlace, placeFault } from "./release-names.ts";
import { repositoryFault } from "./repository-address.ts";
import { schemaFault, subschemas, valuesFault } from "./values-schema.ts";

/** A fault of an AddonDefinition, and its path. */
export interface DefinitionFault {
  readonly path: string;
  readonly message: string;
}

/**
 * Faults of an AddonDefinition that its schema cannot express. `others` are the rest of the catalog; a
 * dependency that is not among them is no fault here, because definitions may come in any order (see `unknownNames`).
 */
export function definitionFaults(
  definition: AddonDefinition,
  others: readonly AddonDefinition[],
): readonly DefinitionFault[] {
  return [
    ...chartFaults(definition),
    ...defaultsFaults(definition),
    ...relationFaults(definition, others),
    ...variationFaults(definition),
    ...schemaFaults(definition),
  ];
}

/** Names in dependsOn that are not in the catalog. */
export function unknownNames(
  { metadata, spec }: AddonDefinition,
  others: readonly AddonDefinition[],
): readonly (DefinitionFault & { readonly name: string })[] {
  const known = new Set([metadata.name, ...others.map((other) => other.metadata.name)]);
  return (spec.dependsOn ?? []).flatMap((name, at) =>
    known.has(name)
      ? []
      : [{ name, path: `spec.dependsOn[${at}]`, message: `add-on ${quoted(name)} not found in the catalog` }],
  );
}

const quoted = (text: string): string => JSON.stringify(text);

function chartFaults({ spec }: AddonDefinition): readonly DefinitionFault[] {
  const { repository, defaultVersion, availableVersions = [] } = spec.chart;
  const address = repositoryFault(repository);
  const versions = [
    ["spec.chart.defaultVersion", defaultVersion] as const,
    ...availableVersions.map((version, at) => [`spec.chart.availableVersions[${at}]`, version] as const),
  ];
  const range = spec.kubernetesVersions;
  return [
    ...(address === undefined ? [] : [{ path: "spec.chart.repository", message: address }]),
    ...versions.flatMap(([path, version]) =>
      semver.valid(version) === null
        ? [{ path, message: `${quoted(version)} is not an exact version such as 1.2.3 or v1.2.3` }]
        : [],
    ),
    ...(range === undefined || range.trim() === "" || readRange(range) !== undefined
      ? []
      : [{ path: "spec.kubernetesVersions", message: `${quoted(range)} is not a range such as ">=1.29 <1.37"` }]),
  ];
}

function defaultsFaults(definition: AddonDefinition): readonly DefinitionFault[] {
  const place = placeFault(definedPlace(definition, definition.metadata.name));
  const timeout = definition.spec.defaults?.timeout ?? "10m";
  return [
    ...(place === undefined ? [] : [{ path: "spec.defaults", message: place }]),
    ...(parseDurationMs(timeout) > 0 ? [] : [{ path: "spec.defaults.timeout", message: "must be greater than 0" }]),
  ];
}

function relationFaults(definition: AddonDefinition, others: readonly AddonDefinition[]): readonly DefinitionFault[] {
  const { dependsOn = [], conflictsWith = [] } = definition.spec;
  const own = definition.metadata.name;
  const inLists = (["dependsOn", "conflictsWith"] as const).flatMap((field) =>
    (definition.spec[field] ?? []).flatMap((name, at, all) => {
      const path = `spec.${field}[${at}]`;
      if (name === own) return [{ path, message: "must not list the add-on itself" }];
      return all.indexOf(name) === at ? [] : [{ path, message: `lists ${quoted(name)} twice` }];
    }),
  );
  const both = conflictsWith.flatMap((name, at) =>
    dependsOn.includes(name)
      ? [{ path: `spec.conflictsWith[${at}]`, message: `${quoted(name)} is also in dependsOn` }]
      : [],
  );
  const circle = findCircle(definition, others);
  const cycle = circle && [
    { path: "spec.dependsOn", message: `creates a dependency cycle: ${[...circle, own].join(" → ")}` },
  ];
  return [...inLists, ...both, ...(cycle ?? [])];
}

/** A path along dependsOn from the definition back to itself, through at least one other. */
function findCircle(definition: AddonDefinition, others: readonly AddonDefinition[]): readonly string[] | undefined {
  const own = definition.metadata.name;
  const edges = new Map(others.map(({ metadata, spec }) => [metadata.name, spec.dependsOn ?? []]));
  edges.set(
    own,
    (definition.spec.dependsOn ?? []).filter((name) => name !== own),
  );
  const seen = new Set([own]);
  const queue: (readonly string[])[] = [[own]];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const next of edges.get(path.at(-1) ?? "") ?? []) {
      if (next === own) return path;
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push([...path, next]);
    }
  }
  return undefined;
}

function variationFaults({ spec }: AddonDefinition): readonly DefinitionFault[] {
  const seen = new Set<string>();
  return (spec.variations ?? []).flatMap(({ providers, unsupported, values }, at) => {
    const path = `spec.variations[${at}]`;
    const twice = providers.filter((provider) => seen.has(provider));
    for (const provider of providers) seen.add(provider);
    return [
      ...(twice.length > 0
        ? [
            {
              path: `${path}.providers`,
              message: `${twice.join(", ")}: an earlier variation takes precedence`,
            },
          ]
        : []),
      ...(unsupported === undefined && values === undefined
        ? [{ path, message: "is empty; set values, or state the reason in unsupported" }]
        : []),
    ];
  });
}

/** The schema must be valid, and its defaults and the default values, alone and with variations, must match it. */
function schemaFaults({ spec }: AddonDefinition): readonly DefinitionFault[] {
  const { valuesSchema, defaults, variations = [] } = spec;
  const unusable = valuesSchema && schemaFault(valuesSchema);
  if (unusable !== undefined) return [{ path: "spec.valuesSchema", message: unusable }];
  // Required values that users still have to set are no fault of the defaults.
  const lenient = valuesSchema && withoutRequired(valuesSchema);
  const judge = (path: string, values: Values | undefined): readonly DefinitionFault[] => {
    const message = judgeValues(lenient, [defaults?.values, values]);
    return message === undefined ? [] : [{ path, message }];
  };
  return [
    ...(valuesSchema === undefined ? [] : presetFaults(valuesSchema, "spec.valuesSchema")),
    ...judge("spec.defaults.values", undefined),
    ...variations.flatMap(({ values }, at) =>
      values === undefined ? [] : judge(`spec.variations[${at}].values`, values),
    ),
  ];
}

function judgeValues(
  schema: Readonly<Record<string, unknown>> | undefined,
  [defaults, variation]: readonly [Values | undefined, Values | undefined],
): string | undefined {
  try {
    const { values } = mergeValues([
      { from: "definition", values: defaults },
      { from: "provider", values: variation },
    ]);
    return valuesFault(schema, values);
  } catch (error) {
    if (error instanceof ButlerError) return error.message;
    throw error;
  }
}

function withoutRequired(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === "required" && Array.isArray(value) ? undefined : value)),
  ) as Readonly<Record<string, unknown>>;
}

/** Every `default` in a schema must be valid at its place. */
function presetFaults(schema: Readonly<Record<string, unknown>>, path: string): readonly DefinitionFault[] {
  const own =
    "default" in schema && !("$ref" in schema)
      ? valuesFault({ type: "object", properties: { default: schema } }, { default: schema["default"] })
      : undefined;
  return [
    ...(own === undefined ? [] : [{ path: `${path}.default`, message: own }]),
    ...subschemas(schema).flatMap(([key, child]) =>
      isRecord(child) ? presetFaults(child, `${path}.${key.replaceAll("/", ".")}`) : [],
    ),
  ];
}
