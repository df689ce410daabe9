import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local images`, with its commands; they are listed when none is named. */
export function imagesGroup(terminal: Terminal): Command {
  const list = new Command("list")
    .description("List the images that the engine's node has")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      for (const image of await engine.images()) terminal.print(image);
    });
  const load = new Command("load")
    .description("Put images from files into the engine's node")
    .argument("<file...>", "archives of images, as docker save and podman save write them")
    .action(async (files: readonly string[], _options, self: Command) => {
      const engine = await openEngine(terminal, self);
      for (const file of files) {
        await engine.loadImage(file);
        terminal.say(`loaded ${file}`);
      }
    });
  return new Command("images")
    .description("Images of the engine's node: what there is, and put more in")
    .addCommand(withExamples(list, ["butleradm local images list"]), { isDefault: true })
    .addCommand(withExamples(load, ["butleradm local images load web.tar"]));
}
