import { assignedValues, mergeValues, type Values } from "@butler/addons";
import { readValuesFile, type Terminal } from "@butler/cli-kit";
import { type Command, Option } from "commander";

/** The options that set Helm values. */
export interface ValueFlags {
  readonly set?: readonly string[];
  readonly values?: readonly string[];
}

const collect = (word: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), word];

/** Adds the options that set Helm values. */
export function withValueOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--set <path=value>",
        "set a value, such as controller.replicas=2, or null to remove it; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option("--values <file>", "file with values, or - for standard input; may be repeated").argParser(collect),
    );
}

/** Whether any value was given. */
export function hasValues({ set = [], values = [] }: ValueFlags): boolean {
  return set.length + values.length > 0;
}

/** The values from options, merged over the existing ones: files first, then single values; later ones win. */
export async function valuesOf(
  { set = [], values = [] }: ValueFlags,
  terminal: Pick<Terminal, "readInput">,
  before: Values = {},
): Promise<Values> {
  const files: Values[] = [];
  for (const file of values) files.push(await readValuesFile(file, terminal));
  const layers = [before, ...files, ...assignedValues(set)];
  return mergeValues(layers.map((layer) => ({ from: "addon", values: layer }))).values;
}
