import { presets } from "@butler/administration";
import { type ObjectView, type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { asList, type ListOptions, printList } from "../common/listing.ts";

const presetView: ObjectView<(typeof presets)[number]> = {
  nameOf: ({ id }) => id,
  columns: [
    { title: "NAME", value: ({ id }) => id },
    { title: "PRODUCT", value: ({ displayName }) => displayName },
    { title: "ISSUER", value: ({ issuerURL }) => issuerURL },
    { title: "GROUPS CLAIM", value: ({ groupsClaim }) => groupsClaim || "-" },
    { title: "SETUP", value: ({ notes }) => notes, isWide: true },
  ],
};

/** `butleradm idp presets`, which needs no cluster. */
export function presetsCommand(terminal: Terminal): Command {
  const command = asList(new Command("presets"))
    .alias("preset")
    .description("List the presets for known products; -o wide shows setup instructions")
    .action((_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      printList(terminal, { view: presetView, objects: presets, options, whenEmpty: "" });
    });
  return withExamples(command, ["butleradm idp presets", "butleradm idp presets -o wide"]);
}
