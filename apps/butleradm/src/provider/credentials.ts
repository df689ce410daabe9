import { credentialFaults, type Credentials } from "@butler/administration";
import { credentialKeys, type ProviderConfig } from "@butler/api";
import { type Terminal, UsageError } from "@butler/cli-kit";
import { InvalidInput, isRecord } from "@butler/std";
import { parseDocument } from "yaml";
import { keyAndPlace, readSecret, readText } from "../common/secret-input.ts";

/** Where credentials come from. None of these has a credential itself in it. */
export interface CredentialOptions {
  readonly credentials?: string;
  readonly credentialFile?: readonly string[];
  readonly credentialEnv?: readonly string[];
}

/** Reads credentials, key by key; what is named for itself wins over a file of all. */
export async function readCredentials(
  terminal: Pick<Terminal, "readInput" | "environment">,
  { credentials: all, credentialFile = [], credentialEnv = [] }: CredentialOptions,
): Promise<Credentials> {
  const files = credentialFile.map((word) => keyAndPlace(word, "--credential-file KEY=FILE"));
  if ([all, ...files.map(([, file]) => file)].filter((file) => file === "-").length > 1) {
    throw new UsageError("standard input can be read for one thing only");
  }
  const found: Record<string, string> = all === undefined ? {} : parseCredentials(await readText(terminal, all));
  for (const [key, file] of files) found[key] = await readSecret(terminal, { file }, `the credential ${key}`);
  for (const word of credentialEnv) {
    const [key, variable] = keyAndPlace(word, "--credential-env KEY=VARIABLE");
    found[key] = await readSecret(terminal, { variable }, `the credential ${key}`);
  }
  return found;
}

/** Credentials from YAML or JSON: keys with texts. Nothing of the text is repeated in an error. */
export function parseCredentials(text: string): Record<string, string> {
  const document = parseDocument(text);
  const value: unknown = document.errors.length === 0 ? document.toJS({ maxAliasCount: 0 }) : undefined;
  const entries = isRecord(value) ? Object.entries(value) : [];
  const isReadable =
    entries.length > 0 && entries.every(([, each]) => typeof each === "string" || Number.isFinite(each));
  if (isReadable) return Object.fromEntries(entries.map(([key, each]) => [key, String(each)]));
  throw new InvalidInput("the credentials are not KEY: VALUE in YAML or JSON");
}

/** Refuses credentials that the kind of infrastructure cannot do with. */
export function requireCredentials(type: ProviderConfig["spec"]["provider"], credentials: Credentials): void {
  const faults = credentialFaults(type, credentials).map(({ message }) => message);
  if (faults.length === 0) return;
  const sets = credentialKeys[type].filter((keys) => keys.length > 0).map((keys) => keys.join(" and "));
  throw new InvalidInput(faults.join("; "), {
    hint:
      sets.length === 0
        ? `Leave the credentials out: ${type} needs none.`
        : `Give ${sets.join(", or ")} with --credential-file KEY=FILE, --credential-env KEY=VARIABLE or --credentials FILE.`,
  });
}
