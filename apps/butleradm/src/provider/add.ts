import { buildProvider, type NewProviderObjects, ownedSecret } from "@butler/administration";
import { ProviderConfig, providerTypes } from "@butler/api";
import { renderValue, shellCommand, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { builtinKinds, keyOf, keyText } from "@butler/resource";
import { NotFound } from "@butler/std";
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

/** How long taking back a provider without its Secret may last, after the person has had enough, too. */
const longestUndoMs = 5_000;

/** `butleradm provider add`. */
export function addCommand(terminal: Terminal): Command {
  const command = new Command("add")
    .description("Add infrastructure that machines of clusters can run on")
    .argument("<name>", "name of the provider", objectName)
    .addOption(new Option("--type <kind>", "kind of infrastructure").choices(providerTypes).makeOptionMandatory())
    .option(
      "-f, --file <file>",
      "settings as YAML: the spec of a ProviderConfig without its credentials, or - for stdin",
    )
    .addOption(
      new Option("--set <path=value>", "one setting, such as nutanix.port=9440; may be repeated").argParser(repeated),
    )
    .addOption(
      new Option(
        "--credential-file <key=file>",
        "one credential from a file, or - for stdin; may be repeated",
      ).argParser(repeated),
    )
    .addOption(
      new Option("--credential-env <key=variable>", "one credential from the environment; may be repeated").argParser(
        repeated,
      ),
    )
    .option("--credentials <file>", "all credentials, as YAML or JSON, or - for stdin")
    .option("--team <team>", "only this team can use it; every team when absent")
    .option("--dry-run", "ask whether it could be made, print it without its credentials, and make nothing")
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
  if (file === "-" && isTwice.includes("-")) throw new UsageError("standard input can be read for one thing only");
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
 * Makes a provider with its Secret. The provider comes first, because the Secret belongs to it: whatever goes wrong in
 * between, no credentials are left that nothing refers to.
 */
async function add({ terminal, session, options }: Working, { config, secret }: NewProviderObjects): Promise<void> {
  const { client } = session;
  const key = keyOf(config);
  await createObject(session, ProviderConfig, { object: config, dryRun: true });
  if (secret !== undefined) {
    await createObject(session, Secret, { object: secret, dryRun: true }).catch((error: unknown) => {
      // That there is no such namespace was said of the provider already, were it so.
      if (!(error instanceof NotFound)) throw error;
    });
  }
  if (options.dryRun) {
    terminal.print(renderValue(config, "yaml"));
    terminal.say(
      "The platform's rules accept it; the infrastructure itself was not asked. Nothing was made (dry run).",
    );
    return;
  }
  const made = await createObject(session, ProviderConfig, { object: config });
  try {
    if (secret !== undefined) await createObject(session, Secret, { object: ownedSecret(secret, made) });
  } catch (error) {
    const undo = AbortSignal.timeout(longestUndoMs);
    // If that fails, too, the provider is there to be seen and removed; what went wrong first is what counts.
    await client.delete(ProviderConfig, key, { uid: made.metadata.uid, signal: undo }).catch(() => undefined);
    throw error;
  }
  const words = ["butleradm", "provider", "test", made.metadata.name];
  const check = shellCommand(...words, ...(options.team === undefined ? [] : ["--team", options.team]));
  terminal.say(`The provider ${keyText(key)} is made. See how it is with: ${check}`);
}
