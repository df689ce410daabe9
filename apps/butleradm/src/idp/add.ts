import { buildIdentityProvider, clientSecretOf } from "@butler/administration";
import { IdentityProvider } from "@butler/api";
import { renderValue, shellCommand, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { AlreadyExists } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { Command, Option } from "commander";
import { readSecret } from "../common/secret-input.ts";
import { objectName, repeated } from "../common/words.ts";
import { createObject } from "../common/writing.ts";
import { consoleAddress } from "../user/console-address.ts";
import { type ProviderOptions, wantedProvider } from "./build.ts";
import { dropSecret } from "./client-secret.ts";

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
    .option("--preset <name>", "preset for a known product; list all presets with: butleradm idp presets")
    .option("--issuer-url <url>", "issuer URL")
    .requiredOption("--client-id <id>", "client ID registered with the issuer for Butler")
    .option("--client-secret-file <file>", "file that contains the client secret, or - for standard input")
    .option("--client-secret-env <variable>", "environment variable that contains the client secret")
    .option("--console-url <url>", "URL of the console (default: the public URL of butler-server)")
    .option("--redirect-url <url>", "redirect URL after sign-in (default: CONSOLE_URL/api/auth/callback)")
    .option("--display-name <text>", "label of the sign-in button")
    .addOption(new Option("--scope <scope>", "scope to request; may be repeated").argParser(repeated))
    .option("--groups-claim <claim>", "claim that contains the user's groups")
    .option("--email-claim <claim>", "claim that contains the user's email address")
    .option("--hosted-domain <domain>", "Google only: domain that accounts must belong to")
    .addOption(
      new Option(
        "--domain <domain>",
        "domain for which the provider is trusted; may be repeated (default: all)",
      ).argParser(repeated),
    )
    .addOption(
      new Option(
        "--admin-group <group>",
        "group whose members receive the platform admin role; may be repeated",
      ).argParser(repeated),
    )
    .addOption(
      new Option(
        "--viewer-group <group>",
        "group whose members receive the platform viewer role; may be repeated",
      ).argParser(repeated),
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
    throw new UsageError("specify exactly one source for the client secret", {
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
  await createObject(session, builtinKinds.Secret, { object: clientSecretOf(name, secret) });
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
