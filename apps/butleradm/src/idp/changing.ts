import { buildIdentityProvider, clientSecretOf, clientSecretPlace } from "@butler/administration";
import { IdentityProvider, User } from "@butler/api";
import { renderValue, shellCommand, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { readList, type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { AlreadyExists } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { Conflict, nameSome, ignoreNotFound } from "@butler/std";
import { Command, Option } from "commander";
import { readSecret } from "../common/secret-input.ts";
import { objectName, repeated } from "../common/words.ts";
import { confirmLoss, createObject, deleteObject } from "../common/writing.ts";
import { consoleAddress } from "../user/console-address.ts";
import { type ProviderOptions, wantedProvider } from "./build.ts";
import { requireProvider } from "./looking.ts";

const { Secret } = builtinKinds;

interface AddOptions extends SessionOptions, ProviderOptions {
  readonly clientSecretFile?: string;
  readonly clientSecretEnv?: string;
  readonly consoleUrl?: string;
  readonly dryRun?: boolean;
}

/** `butleradm idp add`. */
export function addCommand(terminal: Terminal): Command {
  const command = new Command("add")
    .description("Add an OpenID Connect identity provider")
    .argument("<name>", "name of the identity provider", objectName)
    .option("--preset <name>", "settings of a known product; see: butleradm idp presets")
    .option("--issuer-url <url>", "URL of the issuer")
    .requiredOption("--client-id <id>", "client ID of Butler at the issuer")
    .option("--client-secret-file <file>", "file with the client secret, or - for standard input")
    .option("--client-secret-env <variable>", "environment variable with the client secret")
    .option("--console-url <url>", "URL of the console (default: the public URL of butler-server)")
    .option("--redirect-url <url>", "redirect URL after sign-in (default: CONSOLE_URL/api/auth/callback)")
    .option("--display-name <text>", "label of the sign-in button")
    .addOption(new Option("--scope <scope>", "scope to request; may be repeated").argParser(repeated))
    .option("--groups-claim <claim>", "claim with the user's groups")
    .option("--email-claim <claim>", "claim with the user's email address")
    .option("--hosted-domain <domain>", "Google only: domain that accounts must belong to")
    .addOption(
      new Option("--admin-group <group>", "group with the platform role admin; may be repeated").argParser(repeated),
    )
    .addOption(
      new Option("--viewer-group <group>", "group with the platform role viewer; may be repeated").argParser(repeated),
    )
    .option("--dry-run", "validate on the server and print the object without creating it")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<AddOptions>();
      const secret = await clientSecret(terminal, options);
      await withSession(terminal, options, async (session) => {
        // The console's address is only needed for the redirect URL.
        const console = options.redirectUrl === undefined ? await consoleAddress(session, options.consoleUrl) : "";
        const provider = buildIdentityProvider(wantedProvider(name, options, console));
        await add({ terminal, session, options }, { name, provider, secret });
      });
    });
  return withExamples(command, [
    "butleradm idp add company --preset keycloak --issuer-url https://sso.example.com/realms/main --client-id butler --client-secret-file secret.txt",
    "butleradm idp add google --preset google --client-id 123.apps.googleusercontent.com --client-secret-env GOOGLE_SECRET",
  ]);
}

async function clientSecret(terminal: Terminal, options: AddOptions): Promise<string> {
  const { clientSecretFile: file, clientSecretEnv: variable } = options;
  if ((file === undefined) === (variable === undefined)) {
    throw new UsageError("exactly one source of the client secret is required", {
      hint: "Pass --client-secret-file FILE (- for standard input) or --client-secret-env VARIABLE.",
    });
  }
  return readSecret(terminal, { file, variable }, "the client secret");
}

interface Working {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: AddOptions;
}

interface NewObjects {
  readonly name: string;
  readonly provider: DynamicObject;
  readonly secret: string;
}

async function add({ terminal, session, options }: Working, { name, provider, secret }: NewObjects): Promise<void> {
  const { client, signal } = session;
  if ((await client.find(IdentityProvider, { name }, signal)) !== undefined) {
    throw new AlreadyExists(`identity provider ${name} already exists`);
  }
  await createObject(session, IdentityProvider, { object: provider, dryRun: true });
  if (options.dryRun) {
    terminal.print(renderValue(provider, "yaml"));
    return;
  }
  await createObject(session, Secret, { object: clientSecretOf(name, secret) });
  try {
    await createObject(session, IdentityProvider, { object: provider });
  } catch (error) {
    // Do not leave an unused Secret behind.
    await dropSecret(session, name);
    throw error;
  }
  terminal.say(
    `Users can now sign in through ${name}. Test it with: ${shellCommand("butleradm", "idp", "test", name)}`,
  );
}

async function dropSecret({ client, signal }: Session, name: string): Promise<void> {
  await client.delete(Secret, clientSecretPlace(name), { signal }).catch(ignoreNotFound);
}

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
    .option("--force", "remove it even if accounts use it; they can no longer sign in")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<RemoveOptions>();
      await withSession(terminal, options, async (session) => {
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
      });
    });
  return withExamples(command, ["butleradm idp remove company", "butleradm idp remove company --force --yes"]);
}

function requireUnused(name: string, users: readonly User[]): void {
  const using = users
    .filter(({ spec }) => spec.authType === "sso" && spec.ssoProvider === name)
    .map(({ spec }) => spec.email);
  if (using.length === 0) return;
  throw new Conflict(`accounts sign in through ${name}: ${nameSome(using.sort())}; nothing was removed`, {
    hint: "Add --force to remove it anyway; these accounts can then no longer sign in.",
  });
}
