import { clientSecretPlace } from "@butler/administration";
import { IdentityProvider, User } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, readList, type SessionOptions } from "@butler/cli-session";
import { Conflict, nameSome } from "@butler/std";
import { Command } from "commander";
import { confirmLoss, deleteObject } from "../common/writing.ts";
import { requireProvider } from "./find-identity-provider.ts";
import { dropSecret } from "./client-secret.ts";

interface RemoveOptions extends SessionOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** `butleradm idp remove`. */
export function removeCommand(terminal: Terminal): Command {
  const command = new Command("remove")
    .aliases(["rm", "delete"])
    .description("Remove an identity provider, so that users can no longer sign in through it")
    .argument("<name>", "name of the identity provider")
    .option("--force", "remove the provider even if accounts use it; those accounts can no longer sign in")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(
      inSession<RemoveOptions>(terminal, async (session, options, name) => {
        const provider = await requireProvider(session, name);
        if (!options.force) requireUnused(name, await readList(session, User, {}));
        const loss = `Users will no longer be able to sign in through ${name}.`;
        await confirmLoss(terminal, { word: name, loss, yes: options.yes });
        await deleteObject(session, {
          kind: IdentityProvider,
          object: provider,
          what: `the identity provider ${name}`,
        });
        // Keep a Secret that was not created by this command.
        const isOurs = provider.spec.oidc?.clientSecretRef.name === clientSecretPlace(name).name;
        if (isOurs) await dropSecret(session, name);
        terminal.say(`Users can no longer sign in through ${name}.`);
      }),
    );
  return withExamples(command, ["butleradm idp remove company", "butleradm idp remove company --force --yes"]);
}

function requireUnused(name: string, users: readonly User[]): void {
  const using = users
    .filter(({ spec }) => spec.authType === "sso" && spec.ssoProvider === name)
    .map(({ spec }) => spec.email);
  if (using.length === 0) return;
  throw new Conflict(`accounts sign in through ${name}: ${nameSome(using.sort())}; nothing was removed`, {
    hint: "Add --force to remove the provider anyway; these accounts will no longer be able to sign in.",
  });
}
