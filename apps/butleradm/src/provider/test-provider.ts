import { judgeProvider, storedAt } from "@butler/administration";
import { factLines, outputOption, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession } from "@butler/cli-session";
import { builtinKinds, type DynamicObject, keyOf, keyText } from "@butler/resource";
import { InvalidInput, isRecord } from "@butler/std";
import { Command } from "commander";
import { type PlaceOptions, requireProvider, withPlace } from "./find-provider.ts";
import { placeOf } from "./list.ts";

interface TestOptions extends PlaceOptions {
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm provider test`. */
export function testCommand(terminal: Terminal): Command {
  const command = withPlace(new Command("test"))
    .alias("validate")
    .description("Validate a provider's credentials, settings and addresses")
    .argument("<name>", "name of the provider")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(
      inSession<TestOptions>(terminal, async (session, options, name) => {
        const { client, signal } = session;
        const provider = await requireProvider(session, name, options);
        const place = storedAt(provider);
        const secret = place && (await client.find(builtinKinds.Secret, place, signal));
        const found = judgeProvider(provider, secret && keysOf(secret));
        const facts = { provider: keyText(keyOf(provider)), ...found };
        if (options.output !== "table") terminal.print(renderValue(facts, options.output));
        else {
          const lines = factLines([
            ["Provider", facts.provider],
            ["Type", provider.spec.provider],
            ["Location", placeOf(provider)],
            ["Result", found.valid ? "valid" : "invalid"],
            ["Category", found.category],
            ["Message", found.message],
          ]);
          for (const line of lines) terminal.print(line);
        }
        if (!found.valid) throw new InvalidInput(`${facts.provider}: ${found.message}`);
      }),
    );
  return withExamples(command, [
    "butleradm provider test prism",
    "butleradm provider test lab --team payments -o json",
  ]);
}

/** The keys of a Secret that have a value; the values are not read. */
function keysOf(secret: DynamicObject): string[] {
  const data = isRecord(secret["data"]) ? secret["data"] : {};
  return Object.keys(data).filter((key) => data[key] !== "");
}
