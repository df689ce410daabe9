import { buildIdentityProvider, clientSecretOf, clientSecretPlace } from "@butler/administration";
import { IdentityProvider, User } from "@butler/api";
import { renderValue, shellCommand, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { readList, type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { AlreadyExists } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { Conflict, nameSome, NotFound } from "@butler/std";
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
    .description("Let people sign in through an OpenID Connect issuer")
    .argument("<name>", "name of the identity provider", objectName)
    .option("--preset <name>", "product whose settings are known; see: butleradm idp presets")
    .option("--issuer-url <url>", "address of the issuer")
    .requiredOption("--client-id <id>", "client that Butler is registered as")
    .option("--client-secret-file <file>", "file with the client's secret, or - for standard input")
    .option("--client-secret-env <variable>", "variable of the environment with the client's secret")
    .option("--console-url <url>", "where people reach the console; as butler-server was told when absent")
    .option(
      "--redirect-url <url>",
      "where people come back to; the console's address and /api/auth/callback when absent",
    )
    .option("--display-name <text>", "text of the sign-in button")
    .addOption(new Option("--scope <scope>", "scope to ask for; may be repeated").argParser(repeated))
    .option("--groups-claim <claim>", "claim with the person's groups")
    .option("--email-claim <claim>", "claim with the person's e-mail address")
    .option("--hosted-domain <domain>", "Google only: domain that accounts must belong to")
    .addOption(
      new Option("--admin-group <group>", "group that administers the platform; may be repeated").argParser(repeated),
    )
    .addOption(
      new Option("--viewer-group <group>", "group that may read everything; may be repeated").argParser(repeated),
    )
    .option("--dry-run", "ask whether it could be made, print it, and make nothing")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<AddOptions>();
      const secret = await clientSecret(terminal, options);
      await withSession(terminal, options, async (session) => {
        // The console's address matters only where people come back to it.
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
    throw new UsageError("the client's secret is needed, from one place", {
      hint: "Give it with --client-secret-file FILE (- for standard input) or --client-secret-env VARIABLE.",
    });
  }
  return readSecret(terminal, { file, variable }, "the client's secret");
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
    throw new AlreadyExists(`there is an identity provider ${name} already`);
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
    // A secret that nothing refers to is one too many.
    await dropSecret(session, name);
    throw error;
  }
  terminal.say(
    `People can sign in through ${name} now. Try it with: ${shellCommand("butleradm", "idp", "test", name)}`,
  );
}

async function dropSecret({ client, signal }: Session, name: string): Promise<void> {
  await client.delete(Secret, clientSecretPlace(name), { signal }).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
}

interface RemoveOptions extends SessionOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** `butleradm idp remove`. */
export function removeCommand(terminal: Terminal): Command {
  const command = new Command("remove")
    .aliases(["rm", "delete"])
    .description("Let nobody sign in through an identity provider any more")
    .argument("<name>", "name of the identity provider")
    .option("--force", "also when accounts sign in through it, which cannot sign in any more then")
    .option("-y, --yes", "do not ask")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<RemoveOptions>();
      await withSession(terminal, options, async (session) => {
        const provider = await requireProvider(session, name);
        if (!options.force) requireUnused(name, await readList(session, User, {}));
        const loss = `Nobody can sign in through ${name} after this.`;
        await confirmLoss(terminal, { word: name, loss, yes: options.yes });
        await deleteObject(session, {
          kind: IdentityProvider,
          object: provider,
          what: `the identity provider ${name}`,
        });
        // A Secret that somebody made by hand is theirs.
        const isOurs = provider.spec.oidc?.clientSecretRef.name === clientSecretPlace(name).name;
        if (isOurs) await dropSecret(session, name);
        terminal.say(`Nobody signs in through ${name} any more.`);
      });
    });
  return withExamples(command, ["butleradm idp remove company", "butleradm idp remove company --force --yes"]);
}

function requireUnused(name: string, users: readonly User[]): void {
  const using = users
    .filter(({ spec }) => spec.authType === "sso" && spec.ssoProvider === name)
    .map(({ spec }) => spec.email);
  if (using.length === 0) return;
  throw new Conflict(`people sign in through ${name}: ${nameSome(using.sort())}; nothing was removed`, {
    hint: "Add --force if they shall not sign in any more.",
  });
}
