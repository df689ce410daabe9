import { describeError, InvalidInput } from "@butler/std";
import { decodeBootstrapData } from "./decode-data.ts";
import { parseCloudConfig } from "./parse-cloud-config.ts";
import { renderScript } from "./render-script.ts";
import { type InstanceMetadata, renderTemplate } from "./render-template.ts";

/** What bootstrap data came to: a script, or why it cannot be one. */
export type Translation =
  { readonly kind: "script"; readonly script: string } | { readonly kind: "refused"; readonly message: string };

export interface TranslationInput {
  /** The data as the bootstrap provider wrote it, plain or packed with gzip. */
  readonly data: Uint8Array;
  /** The provider's own word for the format; cloud-config when it says nothing. */
  readonly format: string | undefined;
  readonly metadata: InstanceMetadata;
  /** A directory to be taken for the root of the file system; for tests. */
  readonly root?: string;
}

/** A Secret carries a mebibyte in all, and the script shares it with a small file. */
const largestScriptBytes = 1_000_000;

/** Turns the bootstrap data of a machine into one POSIX shell script that needs no parser on the machine. */
export function translateBootstrapData(input: TranslationInput): Translation {
  try {
    return { kind: "script", script: translate(input) };
  } catch (error) {
    if (error instanceof InvalidInput) return { kind: "refused", message: describeError(error) };
    throw error;
  }
}

function translate({ data, format = "cloud-config", metadata, root }: TranslationInput): string {
  if (format !== "cloud-config") {
    throw new InvalidInput(`bootstrap data in the format "${format}" is not supported, only cloud-config is`);
  }
  const config = parseCloudConfig(renderTemplate(decodeBootstrapData(data), metadata));
  const script = renderScript(config, root === undefined ? {} : { root });
  const bytes = Buffer.byteLength(script);
  if (bytes <= largestScriptBytes) return script;
  throw new InvalidInput(`the bootstrap script has ${bytes} bytes, and a Secret has no room for it`);
}
