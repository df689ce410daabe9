import { formFields } from "@butler/addons";
import type { AddonDefinition } from "@butler/api";
import {
  type Column,
  type Fact,
  type ObjectView,
  type OutputFormat,
  outputOption,
  printable,
  renderObject,
  renderObjects,
  renderRows,
  section,
  type Terminal,
  withExamples,
} from "@butler/cli-kit";
import { entryLines } from "@butler/changes";
import { withoutManagedFields } from "@butler/resource";
import { inSession, type SessionOptions } from "@butler/cli-session";
import { Command } from "commander";
import { readCatalog } from "./facts.ts";
import { requireDefinition } from "./find-addon.ts";

interface CatalogOptions extends SessionOptions {
  readonly category?: string;
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** `butlerctl addon catalog`. */
export function catalogCommand(terminal: Terminal): Command {
  const command = new Command("catalog")
    .description("List available add-ons, or show one with its values")
    .argument("[addon]", "name of the add-on")
    .option("--category <category>", "list only add-ons in this category, such as storage")
    .addOption(outputOption())
    .option("--no-headers", "do not print headers")
    .action(
      inSession<CatalogOptions>(terminal, async (session, options, name?: string) => {
        const definitions = await readCatalog(session);
        const { output: format, headers: hasHeader } = options;
        const rendering = { format, hasHeader, paint: terminal.paint };
        if (name !== undefined) {
          const definition = withoutManagedFields(requireDefinition(definitions, name));
          if (format !== "table" && format !== "wide") terminal.print(renderObject(catalogView, definition, rendering));
          else for (const line of describeDefinition(definition)) terminal.print(line);
          return;
        }
        const shown = definitions.filter(({ spec }) => spec.category === (options.category ?? spec.category));
        const text = renderObjects(catalogView, shown.map(withoutManagedFields), rendering);
        if (text !== "") terminal.print(text);
        else
          terminal.say(
            options.category === undefined ? emptyCatalog : `No add-ons found in category ${options.category}.`,
          );
      }),
    );
  return withExamples(command, [
    "butlerctl addon catalog",
    "butlerctl addon catalog --category database -o wide",
    "butlerctl addon catalog traefik",
  ]);
}

const emptyCatalog = "The catalog is empty. A platform administrator can add entries with: butleradm addon catalog add";

const catalogView: ObjectView<AddonDefinition> = {
  nameOf: ({ metadata }) => `addondefinition.butler.butlerlabs.dev/${metadata.name}`,
  columns: [
    { title: "NAME", value: ({ metadata }) => metadata.name },
    { title: "CATEGORY", value: ({ spec }) => spec.category },
    { title: "VERSION", value: ({ spec }) => spec.chart.defaultVersion },
    { title: "TITLE", value: ({ spec }) => spec.displayName },
    { title: "NEEDS", value: ({ spec }) => spec.dependsOn?.join(",") || "-", isWide: true },
    { title: "CONFLICTS", value: ({ spec }) => spec.conflictsWith?.join(",") || "-", isWide: true },
    { title: "KUBERNETES", value: ({ spec }) => spec.kubernetesVersions || "-", isWide: true },
    { title: "DESCRIPTION", value: ({ spec }) => spec.description, isWide: true },
  ],
};

type Field = ReturnType<typeof formFields>[number];

const fieldColumns: readonly Column<Field>[] = [
  { title: "VALUE", value: ({ path, isRequired }) => (isRequired ? `${path} (required)` : path) },
  { title: "TYPE", value: ({ type }) => type },
  { title: "DEFAULT", value: ({ preset }) => (preset === undefined ? "-" : JSON.stringify(preset)) },
  {
    title: "DESCRIPTION",
    value: ({ title, description }) => [title, description].filter((text) => text !== "").join(". "),
  },
];

/** One entry of the catalog as text. */
export function describeDefinition({ metadata, spec }: AddonDefinition): string[] {
  const facts: readonly Fact[] = [
    ["Name", metadata.name],
    ["Title", spec.displayName],
    ["Category", spec.category],
    ["Chart", `${spec.chart.name} from ${spec.chart.repository}`],
    ["Version", spec.chart.defaultVersion],
    ["Available", spec.chart.availableVersions?.join(", ")],
    ["Namespace", spec.defaults?.namespace ?? metadata.name],
    ["Kubernetes", spec.kubernetesVersions],
    ["Needs", spec.dependsOn?.join(", ")],
    ["Conflicts", spec.conflictsWith?.join(", ")],
    ["Docs", spec.links?.documentation ?? spec.links?.homepage],
  ];
  const unsupported = (spec.variations ?? []).flatMap(({ providers, unsupported: why }) =>
    why === undefined ? [] : [`  ${providers.join(", ")}: ${printable(why)}`],
  );
  const fields = formFields(spec.valuesSchema);
  return entryLines(facts, spec.description, [
    ...(unsupported.length === 0 ? [] : ["", "Not supported on:", ...unsupported]),
    ...section("Values", renderRows(fieldColumns, fields)),
  ]);
}
