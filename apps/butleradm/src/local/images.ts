import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local images`, with its commands; lists images by default. */
export function imagesGroup(terminal: Terminal): Command {
  const list = new Command("list")
    .description("List the images on the engine's node")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      for (const image of await engine.images()) terminal.print(image);
    });
  const load = new Command("load")
    .description("Load images from files onto the engine's node")
    .argument("<file...>", "image archives created by docker save or podman save")
    .action(async (files: readonly string[], _options, self: Command) => {
      const engine = await openEngine(terminal, self);
      for (const file of files) {
        await engine.loadImage(file);
        terminal.say(`loaded ${file}`);
      }
    });
  return new Command("images")
    .description("Manage the images on the engine's node")
    .addCommand(withExamples(list, ["butleradm local images list"]), { isDefault: true })
    .addCommand(withExamples(load, ["butleradm local images load web.tar"]));
}
