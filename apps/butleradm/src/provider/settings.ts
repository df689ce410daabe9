import { assignedValues, mergeValues } from "@butler/addons";
import { type ProviderConfig, providerTypes } from "@butler/api";
import { InvalidInput, isRecord } from "@butler/std";
import { parseDocument } from "yaml";

type ProviderType = ProviderConfig["spec"]["provider"];

/** What may be said about a provider beside its kind and its credentials. */
const blocks: ReadonlySet<string> = new Set([...providerTypes, "network", "limits"]);

/** Reads the settings of a provider: the spec of a ProviderConfig, or a whole one. */
export function parseSettings(source: string, text: string): Readonly<Record<string, unknown>> {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new InvalidInput(`${source} is not YAML: ${problem.message.split("\n")[0] ?? ""}`);
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isRecord(value)) throw new InvalidInput(`${source} has no settings of a provider`);
  if (value["kind"] === undefined) return value;
  if (value["kind"] !== "ProviderConfig" || !isRecord(value["spec"])) {
    throw new InvalidInput(`${source} is not a ProviderConfig`);
  }
  return value["spec"];
}

/** What the command line says about a provider. */
export interface SettingsInput {
  readonly type: ProviderType;
  /** From a file. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Words such as `nutanix.endpoint=https://prism.example.com`, which win over the file. */
  readonly words: readonly string[];
}

/** The settings of a new provider, from the file with the words laid over it. */
export function wantedSettings({ type, settings = {}, words }: SettingsInput): Readonly<Record<string, unknown>> {
  const { provider, credentialsRef, scope, ...rest } = settings;
  if (provider !== undefined && provider !== type) {
    throw new InvalidInput(`the settings are for ${JSON.stringify(provider)}, and not for ${type}`);
  }
  if (credentialsRef !== undefined || scope !== undefined) {
    throw new InvalidInput("the settings name a Secret or a scope, which this command decides itself", {
      hint: "Leave credentialsRef and scope out; give credentials with --credential-file, and a team with --team.",
    });
  }
  const { values } = mergeValues([rest, ...assignedValues(words)].map((layer) => ({ from: "addon", values: layer })));
  const strange = Object.keys(values).filter((key) => !blocks.has(key));
  if (strange.length === 0) return values;
  throw new InvalidInput(`a provider has no setting ${strange.map((key) => JSON.stringify(key)).join(", ")}`, {
    hint: `There are: ${[...blocks].join(", ")}. Credentials are no settings: see --credential-file and --credential-env.`,
  });
}
