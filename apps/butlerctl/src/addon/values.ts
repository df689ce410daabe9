import { wantedRelease } from "@butler/addons";
import type { TenantAddon } from "@butler/api";
import {
  type Column,
  outputOption,
  printable,
  renderTable,
  renderValue,
  shortened,
  type Terminal,
} from "@butler/cli-kit";
import { InvalidInput, valueAt } from "@butler/std";
import type { Command } from "commander";
import { addonCommand, type AddonOptions } from "./arguments.ts";
import { type AddonFacts, readAddonFacts } from "./facts.ts";
import { requireAddon } from "./find-addon.ts";
import { onAddon } from "./on-addon.ts";

interface ValuesOptions extends AddonOptions {
  readonly all?: boolean;
  readonly output: "yaml" | "json" | "table";
}

const formats = ["yaml", "json", "table"] as const;

/** `butlerctl addon values`. */
export function valuesCommand(terminal: Terminal): Command {
  return addonCommand("values", "Show the values of an add-on", [
    "butlerctl addon values blue traefik",
    "butlerctl addon values blue traefik --all",
    "butlerctl addon values blue traefik --all -o table",
  ])
    .option("--all", "show the merged values and the source of each")
    .addOption(outputOption(formats))
    .action(
      onAddon<ValuesOptions>(terminal, async ({ session, options, found, names }) => {
        const facts = await readAddonFacts(session, found);
        const chosen = requireAddon(facts.addons, found, names.addon);
        const rows = options.all ? mergedRows(chosen, facts) : ownRows(chosen);
        for (const line of renderValues(rows, options)) terminal.print(line);
      }),
    );
}

interface ValueRow {
  readonly path: string;
  readonly value: unknown;
  readonly from: string;
}

interface ShownValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly rows: readonly ValueRow[];
}

function ownRows({ spec: { values = {} } }: TenantAddon): ShownValues {
  return { values, rows: [] };
}

function mergedRows(addon: TenantAddon, { definitions, cluster, team, providerType }: AddonFacts): ShownValues {
  const definition = definitions.find(({ metadata }) => metadata.name === addon.spec.addon);
  const result = wantedRelease({ addon, definition, cluster, team, providerType });
  if ("fault" in result) throw new InvalidInput(result.fault.message);
  const { values, origins } = result.wanted;
  return { values, rows: origins.map(({ path, from }) => ({ path, from, value: valueAt(values, keysOf(path)) })) };
}

/** The keys of a path in which dots that belong to a key are escaped. */
function keysOf(path: string): readonly string[] {
  return [...path.matchAll(/(?:\\.|[^\\.])+/gs)].map(([key]) => key.replace(/\\(.)/gs, "$1"));
}

const columns: readonly Column<ValueRow>[] = [
  { title: "PATH", value: ({ path }) => path },
  { title: "VALUE", value: ({ value }) => shortened(printable(JSON.stringify(value) ?? ""), 60) },
  { title: "FROM", value: ({ from }) => from },
];

function renderValues({ values, rows }: ShownValues, { all, output }: ValuesOptions): readonly string[] {
  if (output === "table") return renderTable(columns, rows);
  if (!all) return [renderValue(values, output)];
  const origins = rows.map(({ path, from }) => ({ path, from }));
  return [renderValue({ values, origins }, output)];
}
