import { assignedValues, mergeValues, type Values } from "@butler/addons";
import { readValuesFile, type Terminal } from "@butler/cli-kit";
import { type Command, Option } from "commander";

/** Options for the values of Butler's chart. */
export interface ValueFlags {
  readonly set?: readonly string[];
  readonly values?: readonly string[];
  readonly image?: string;
}

const collect = (word: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), word];

/** Adds the options for the values of Butler's chart. */
export function withValueFlags(command: Command): Command {
  return command
    .addOption(
      new Option("--values <file>", "file with chart values, or - for standard input; may be repeated").argParser(
        collect,
      ),
    )
    .addOption(
      new Option("--set <path=value>", "set a chart value, such as steward.replicas=2; may be repeated").argParser(
        collect,
      ),
    )
    .option("--image <image>", "Butler image with a tag or digest");
}

/** The given values merged over the existing ones: files, then the image, then single values. */
export async function valuesOf(
  { set = [], values = [], image }: ValueFlags,
  terminal: Pick<Terminal, "readInput">,
  before: Values = {},
): Promise<Values> {
  const layers: Values[] = [before];
  for (const file of values) layers.push(await readValuesFile(file, terminal));
  if (image !== undefined) {
    const { chartImageValues } = await import("@butler/butler/chart");
    layers.push(chartImageValues(image));
  }
  layers.push(...assignedValues(set));
  return mergeValues(layers.map((layer) => ({ from: "addon", values: layer }))).values;
}
