import { providerUse, type ProviderUse, storedAt } from "@butler/administration";
import { ProviderConfig } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession } from "@butler/cli-session";
import { builtinKinds, isOwnedBy, keyOf, keyText } from "@butler/resource";
import { Conflict, nameSome, ignoreNotFound } from "@butler/std";
import { Command } from "commander";
import { confirmLoss, deleteObject } from "../common/writing.ts";
import { type PlaceOptions, readSurroundings, requireProvider, withPlace } from "./find-provider.ts";

const { Secret } = builtinKinds;

interface RemoveOptions extends PlaceOptions {
  readonly yes?: boolean;
}

/** Describes the users of a provider; undefined when it is unused. */
export function inUseText({ clusters, teams, isDefault }: ProviderUse): string | undefined {
  const users = [
    ...(clusters.length === 0 ? [] : [`worker machines in clusters: ${nameSome(clusters)}`]),
    ...(teams.length === 0 ? [] : [`default provider for teams: ${nameSome(teams)}`]),
    ...(isDefault ? ["platform default in ButlerConfig butler"] : []),
  ];
  return users.length === 0 ? undefined : users.join("; ");
}

/** `butleradm provider remove`. */
export function removeCommand(terminal: Terminal): Command {
  const command = withPlace(new Command("remove"))
    .aliases(["rm", "delete"])
    .description("Remove an unused provider and its stored credentials")
    .argument("<name>", "name of the provider")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(
      inSession<RemoveOptions>(terminal, async (session, options, name) => {
        const { client, signal } = session;
        const provider = await requireProvider(session, name, options);
        const what = keyText(keyOf(provider));
        const use = inUseText(providerUse(provider, await readSurroundings(session)));
        if (use !== undefined) {
          const hint = "Delete those clusters or choose another default provider first.";
          throw new Conflict(`the provider ${what} is in use: ${use}; nothing was removed`, { hint });
        }
        const loss = `This removes the provider ${what} and its stored credentials.`;
        await confirmLoss(terminal, { word: name, loss, yes: options.yes });
        const place = storedAt(provider);
        const secret = place && (await client.find(Secret, place, signal));
        const outcome = await deleteObject(session, {
          kind: ProviderConfig,
          object: provider,
          what: `the provider ${what}`,
        });
        // While finalizers hold the provider its credentials are needed; they are deleted with it, because it owns
        // them.
        if (outcome === "gone" && secret !== undefined && isOwnedBy(secret, provider)) {
          await client.delete(Secret, keyOf(secret), { uid: secret.metadata.uid, signal }).catch(ignoreNotFound);
        }
        terminal.say(`The provider ${what} ${outcome === "gone" ? "was removed" : "is being removed"}.`);
        if (secret !== undefined && place !== undefined && !isOwnedBy(secret, provider)) {
          terminal.say(
            `Secret ${keyText(place)}, which contains its credentials, was kept because the provider does not own it.`,
          );
        }
      }),
    );
  return withExamples(command, ["butleradm provider remove prism", "butleradm provider remove prism --yes"]);
}
