import { assignedValues, mergeValues } from "@butler/addons";
import { type ProviderConfig, providerTypes } from "@butler/api";
import { InvalidInput, isRecord } from "@butler/std";
import { parseDocument } from "yaml";

type ProviderType = ProviderConfig["spec"]["provider"];

/** Settings of a provider, besides its type and its credentials. */
const blocks: ReadonlySet<string> = new Set([...providerTypes, "network", "limits"]);

/** Parses the settings of a provider: a ProviderConfig or its spec. */
export function parseSettings(source: string, text: string): Readonly<Record<string, unknown>> {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new InvalidInput(`${source} is not valid YAML: ${problem.message.split("\n")[0] ?? ""}`);
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isRecord(value)) throw new InvalidInput(`${source} contains no provider settings`);
  if (value["kind"] === undefined) return value;
  if (value["kind"] !== "ProviderConfig" || !isRecord(value["spec"])) {
    throw new InvalidInput(`${source} is not a ProviderConfig`);
  }
  return value["spec"];
}

/** The settings given on the command line. */
export interface SettingsInput {
  readonly type: ProviderType;
  /** From a file. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Assignments such as `nutanix.endpoint=https://prism.example.com`, which override the file. */
  readonly words: readonly string[];
}

/** The settings of a new provider: the file, overridden by the assignments. */
export function wantedSettings({ type, settings = {}, words }: SettingsInput): Readonly<Record<string, unknown>> {
  const { provider, credentialsRef, scope, ...rest } = settings;
  if (provider !== undefined && provider !== type) {
    throw new InvalidInput(`the settings are for provider type ${JSON.stringify(provider)}, but --type is ${type}`);
  }
  if (credentialsRef !== undefined || scope !== undefined) {
    throw new InvalidInput("the settings must not contain credentialsRef or scope", {
      hint: "Remove them; pass credentials with --credential-file, and a team with --team.",
    });
  }
  const { values } = mergeValues([rest, ...assignedValues(words)].map((layer) => ({ from: "addon", values: layer })));
  const strange = Object.keys(values).filter((key) => !blocks.has(key));
  if (strange.length === 0) return values;
  throw new InvalidInput(`unknown provider setting: ${strange.map((key) => JSON.stringify(key)).join(", ")}`, {
    hint: `Available settings: ${[...blocks].join(", ")}. Pass credentials with --credential-file or --credential-env.`,
  });
}
