import { credentialFaults, type Credentials } from "@butler/administration";
import { credentialKeys, type ProviderConfig } from "@butler/api";
import { type Terminal, UsageError } from "@butler/cli-kit";
import { InvalidInput, isRecord } from "@butler/std";
import { parseDocument } from "yaml";
import { keyAndPlace, readSecret, readText } from "../common/secret-input.ts";

/** Sources of credentials. None of these contains a credential itself. */
export interface CredentialOptions {
  readonly credentials?: string;
  readonly credentialFile?: readonly string[];
  readonly credentialEnv?: readonly string[];
}

/** Reads credentials by key; single credentials override those from a file with all of them. */
export async function readCredentials(
  terminal: Pick<Terminal, "readInput" | "environment">,
  { credentials: all, credentialFile = [], credentialEnv = [] }: CredentialOptions,
): Promise<Credentials> {
  const files = credentialFile.map((word) => keyAndPlace(word, "--credential-file KEY=FILE"));
  if ([all, ...files.map(([, file]) => file)].filter((file) => file === "-").length > 1) {
    throw new UsageError("only one option can read from standard input");
  }
  const found: Record<string, string> = all === undefined ? {} : parseCredentials(await readText(terminal, all));
  for (const [key, file] of files) found[key] = await readSecret(terminal, { file }, `the credential ${key}`);
  for (const word of credentialEnv) {
    const [key, variable] = keyAndPlace(word, "--credential-env KEY=VARIABLE");
    found[key] = await readSecret(terminal, { variable }, `the credential ${key}`);
  }
  return found;
}

/** Parses credentials from YAML or JSON. Errors never repeat the text. */
export function parseCredentials(text: string): Record<string, string> {
  const document = parseDocument(text);
  const value: unknown = document.errors.length === 0 ? document.toJS({ maxAliasCount: 0 }) : undefined;
  const entries = isRecord(value) ? Object.entries(value) : [];
  const isReadable =
    entries.length > 0 && entries.every(([, each]) => typeof each === "string" || Number.isFinite(each));
  if (isReadable) return Object.fromEntries(entries.map(([key, each]) => [key, String(each)]));
  throw new InvalidInput("credentials must be KEY: VALUE pairs in YAML or JSON");
}

/** Rejects credentials that do not fit the type of infrastructure. */
export function requireCredentials(type: ProviderConfig["spec"]["provider"], credentials: Credentials): void {
  const faults = credentialFaults(type, credentials).map(({ message }) => message);
  if (faults.length === 0) return;
  const sets = credentialKeys[type].filter((keys) => keys.length > 0).map((keys) => keys.join(" and "));
  throw new InvalidInput(faults.join("; "), {
    hint:
      sets.length === 0
        ? `Omit the credentials; provider type ${type} requires none.`
        : `Pass ${sets.join(", or ")} with --credential-file KEY=FILE, --credential-env KEY=VARIABLE or --credentials FILE.`,
  });
}
