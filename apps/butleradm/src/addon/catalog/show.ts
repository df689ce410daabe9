import { formFields } from "@butler/addons";
import { type AddonDefinition } from "@butler/api";
import { type Column, type Fact, renderRows, section, type Terminal, withExamples } from "@butler/cli-kit";
import { entryLines } from "@butler/changes";
import { withoutManagedFields } from "@butler/resource";
import { nameSome } from "@butler/std";
import { Command } from "commander";
import { asDetails } from "../../common/showing.ts";
import { requireDefinition, usersOf } from "./find-definition.ts";

/** `butleradm addon catalog show`. */
export function showCommand(terminal: Terminal): Command {
  const command = new Command("show")
    .alias("get")
    .description("Show a catalog add-on, including its source, values and users")
    .argument("<addon>", "name of the add-on");
  asDetails(command, terminal, async (session, name) => {
    const object = withoutManagedFields(await requireDefinition(session, name));
    return { object, lines: async () => describe(object, await usersOf(session, name)) };
  });
  return withExamples(command, [
    "butleradm addon catalog show traefik",
    "butleradm addon catalog show traefik -o yaml",
  ]);
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
  return entryLines(facts, spec.description, [...section("Values", renderRows(fieldColumns, fields))]);
}
