import { buildProvider, type NewProviderObjects, ownedSecret } from "@butler/administration";
import { ProviderConfig, providerTypes } from "@butler/api";
import { renderValue, shellCommand, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { builtinKinds, keyOf, keyText } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { Command, Option } from "commander";
import { readText } from "../common/secret-input.ts";
import { objectName, repeated } from "../common/words.ts";
import { createObject } from "../common/writing.ts";
import { type CredentialOptions, readCredentials, requireCredentials } from "./credentials.ts";
import { parseSettings, wantedSettings } from "./settings.ts";

const { Secret } = builtinKinds;

interface AddOptions extends SessionOptions, CredentialOptions {
  readonly type: ProviderConfig["spec"]["provider"];
  readonly file?: string;
  readonly set?: readonly string[];
  readonly team?: string;
  readonly dryRun?: boolean;
}

/** Time limit for deleting a provider whose Secret could not be created, even after an interrupt. */
const longestUndoMs = 5_000;

/** `butleradm provider add`. */
export function addCommand(terminal: Terminal): Command {
  const command = new Command("add")
    .description("Add an infrastructure provider for cluster machines")
    .argument("<name>", "name of the provider", objectName)
    .addOption(new Option("--type <kind>", "infrastructure type").choices(providerTypes).makeOptionMandatory())
    .option("-f, --file <file>", "YAML file with a ProviderConfig spec (without credentials), or - for standard input")
    .addOption(
      new Option("--set <path=value>", "set a value, such as nutanix.port=9440; may be repeated").argParser(repeated),
    )
    .addOption(
      new Option(
        "--credential-file <key=file>",
        "credential to read from a file, or - for standard input; may be repeated",
      ).argParser(repeated),
    )
    .addOption(
      new Option(
        "--credential-env <key=variable>",
        "credential to read from an environment variable; may be repeated",
      ).argParser(repeated),
    )
    .option("--credentials <file>", "YAML or JSON file with all credentials, or - for standard input")
    .option("--team <team>", "restrict the provider to this team (default: all teams)")
    .option("--dry-run", "validate on the server and print the object, excluding credentials, without creating it")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<AddOptions>();
      const objects = await wantedObjects(terminal, { name, options });
      await withSession(terminal, options, (session) => add({ terminal, session, options }, objects));
    });
  return withExamples(command, [
    "butleradm provider add here --type local",
    "butleradm provider add prism --type nutanix -f prism.yaml --credential-env username=PRISM_USER --credential-file password=secret.txt",
    "pass show harvester | butleradm provider add lab --type harvester --set harvester.networkName=default/vlan40 --credential-file kubeconfig=-",
  ]);
}

async function wantedObjects(
  terminal: Terminal,
  { name, options }: { readonly name: string; readonly options: AddOptions },
): Promise<NewProviderObjects> {
  const { type, file, set = [], team } = options;
  const isTwice = [options.credentials, ...(options.credentialFile ?? []).map((word) => word.split("=").at(-1))];
  if (file === "-" && isTwice.includes("-")) throw new UsageError("only one option can read from standard input");
  const settings = file === undefined ? undefined : parseSettings(file, await readText(terminal, file));
  const wanted = wantedSettings({ type, settings, words: set });
  const credentials = await readCredentials(terminal, options);
  requireCredentials(type, credentials);
  return buildProvider({ ...wanted, name, provider: type, credentials }, { team });
}

interface Working {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: AddOptions;
}

/**
 * Creates a provider and its Secret. The provider is created first, because it owns the Secret: after a failure in
 * between, no orphaned credentials are left.
 */
async function add({ terminal, session, options }: Working, { config, secret }: NewProviderObjects): Promise<void> {
  const { client } = session;
  const key = keyOf(config);
  await createObject(session, ProviderConfig, { object: config, dryRun: true });
  if (secret !== undefined) {
    // A missing namespace would have been reported for the provider already.
    await createObject(session, Secret, { object: secret, dryRun: true }).catch(ignoreNotFound);
  }
  if (options.dryRun) {
    terminal.print(renderValue(config, "yaml"));
    terminal.say(
      "Validation passed; the connection to the infrastructure was not tested. Nothing was created (dry run).",
    );
    return;
  }
  const made = await createObject(session, ProviderConfig, { object: config });
  try {
    if (secret !== undefined) await createObject(session, Secret, { object: ownedSecret(secret, made) });
  } catch (error) {
    const undo = AbortSignal.timeout(longestUndoMs);
    // If this fails as well, the provider remains visible and can be removed; report the first error.
    await client.delete(ProviderConfig, key, { uid: made.metadata.uid, signal: undo }).catch(() => undefined);
    throw error;
  }
  const words = ["butleradm", "provider", "test", made.metadata.name];
  const check = shellCommand(...words, ...(options.team === undefined ? [] : ["--team", options.team]));
  terminal.say(`The provider ${keyText(key)} was created. Test it with: ${check}`);
}
