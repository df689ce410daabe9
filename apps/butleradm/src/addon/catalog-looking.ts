import { closestName, formFields } from "@butler/addons";
import { AddonDefinition, ManagementAddon, TenantAddon } from "@butler/api";
import {
  type Column,
  type Fact,
  factLines,
  type OutputFormat,
  outputOption,
  printable,
  renderObjects,
  renderRows,
  renderValue,
  section,
  type Terminal,
  withExamples,
} from "@butler/cli-kit";
import { readList, type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { keyText, withoutManagedFields } from "@butler/resource";
import { nameSome, NotFound } from "@butler/std";
import { Command } from "commander";
import { byName, definitionView } from "./views.ts";

interface ListOptions extends SessionOptions {
  readonly category?: string;
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** `butleradm addon catalog list`. */
export function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .alias("ls")
    .description("List the add-ons in the catalog")
    .option("--category <category>", "only add-ons of this category, such as storage")
    .addOption(outputOption())
    .option("--no-headers", "omit table headers")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      await withSession(terminal, options, async (session) => {
        const all = (await readList(session, AddonDefinition, {})).sort(byName);
        const shown = all
          .filter(({ spec }) => spec.category === (options.category ?? spec.category))
          .map(withoutManagedFields);
        const { output: format, headers: hasHeader } = options;
        const view = definitionView(() => terminal.clock.now());
        const text = renderObjects(view, shown, { format, hasHeader, paint: terminal.paint });
        if (text !== "") terminal.print(text);
        else if (all.length > 0) terminal.say(`No add-ons in category ${options.category}.`);
        else terminal.say("The catalog is empty. Add add-ons with: butleradm addon catalog add --file deploy/catalog");
      });
    });
  return withExamples(command, ["butleradm addon catalog list", "butleradm addon catalog list --category dns -o wide"]);
}

interface ShowOptions extends SessionOptions {
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm addon catalog show`. */
export function showCommand(terminal: Terminal): Command {
  const command = new Command("show")
    .alias("get")
    .description("Show an add-on in the catalog with its source, values and users")
    .argument("<addon>", "name of the add-on")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<ShowOptions>();
      await withSession(terminal, options, async (session) => {
        const definition = withoutManagedFields(await requireDefinition(session, name));
        if (options.output !== "table") terminal.print(renderValue(definition, options.output));
        else for (const line of describe(definition, await usersOf(session, name))) terminal.print(line);
      });
    });
  return withExamples(command, [
    "butleradm addon catalog show traefik",
    "butleradm addon catalog show traefik -o yaml",
  ]);
}

/** The catalog entry of a name; fails with a suggestion when there is none. */
export async function requireDefinition(session: Session, name: string): Promise<AddonDefinition> {
  const found = await session.client.find(AddonDefinition, { name }, session.signal);
  if (found !== undefined) return found;
  const names = (await readList(session, AddonDefinition, {})).map(({ metadata }) => metadata.name);
  const meant = closestName(name, names);
  throw new NotFound(`add-on "${name}" not found in the catalog`, {
    hint: meant === undefined ? "List them with: butleradm addon catalog list" : `Did you mean ${meant}?`,
  });
}

/** The users of a catalog entry: add-ons of tenant clusters and of the management cluster. */
export async function usersOf(session: Session, name: string): Promise<readonly string[]> {
  const [tenant, management] = await Promise.all([
    readList(session, TenantAddon, {}),
    readList(session, ManagementAddon, {}),
  ]);
  const ofTenants = tenant.filter(({ spec }) => spec.helm === undefined && spec.addon === name);
  const own = management.filter(({ spec }) => spec.addon === name);
  return [
    ...ofTenants.map(({ metadata }) => `TenantAddon ${keyText(metadata)}`),
    ...own.map(({ metadata }) => `ManagementAddon ${metadata.name}`),
  ].sort();
}

type Field = ReturnType<typeof formFields>[number];

const fieldColumns: readonly Column<Field>[] = [
  { title: "VALUE", value: ({ path, isRequired }) => (isRequired ? `${path} (required)` : path) },
  { title: "TYPE", value: ({ type }) => type },
  { title: "DEFAULT", value: ({ preset }) => (preset === undefined ? "-" : JSON.stringify(preset)) },
  { title: "DESCRIPTION", value: ({ title }) => title },
];

function describe({ metadata, spec }: AddonDefinition, users: readonly string[]): readonly string[] {
  const facts: readonly Fact[] = [
    ["Name", metadata.name],
    ["Title", spec.displayName],
    ["Category", spec.category],
    ["Chart", `${spec.chart.name} from ${spec.chart.repository}`],
    ["Version", [spec.chart.defaultVersion, ...(spec.chart.availableVersions ?? [])].join(", ")],
    ["Kubernetes", spec.kubernetesVersions],
    ["Depends on", spec.dependsOn?.join(", ")],
    ["Conflicts", spec.conflictsWith?.join(", ")],
    ["Used by", users.length === 0 ? "none" : nameSome(users)],
  ];
  const fields = formFields(spec.valuesSchema);
  return [
    ...factLines(
      facts.map(([title, value]) => [title, printable(value ?? "")]),
      13,
    ),
    "",
    printable(spec.description),
    ...section("Values", renderRows(fieldColumns, fields)),
  ];
}
