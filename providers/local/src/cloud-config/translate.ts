import { describeError, InvalidInput } from "@butler/std";
import { decodeBootstrapData } from "./decode-data.ts";
import { parseCloudConfig } from "./parse-cloud-config.ts";
import { renderScript } from "./render-script.ts";
import { type InstanceMetadata, renderTemplate } from "./render-template.ts";

/** The result of a translation: a script, or the reason why there is none. */
export type Translation =
  { readonly kind: "script"; readonly script: string } | { readonly kind: "refused"; readonly message: string };

export interface TranslationInput {
  /** The data as written by the bootstrap provider, plain or gzip-compressed. */
  readonly data: Uint8Array;
  /** The format as reported by the provider; defaults to cloud-config. */
  readonly format: string | undefined;
  readonly metadata: InstanceMetadata;
  /** A directory used as the root of the file system; for tests. */
  readonly root?: string;
}

/** A Secret is limited to 1 MiB in total, and the script shares it with a small file. */
const largestScriptBytes = 1_000_000;

/** Translates the bootstrap data of a machine into one POSIX shell script that needs no parser on the machine. */
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
    throw new InvalidInput(`bootstrap data format "${format}" is not supported; use cloud-config`);
  }
  const config = parseCloudConfig(renderTemplate(decodeBootstrapData(data), metadata));
  const script = renderScript(config, root === undefined ? {} : { root });
  const bytes = Buffer.byteLength(script);
  if (bytes <= largestScriptBytes) return script;
  throw new InvalidInput(`the bootstrap script is too large for a Secret (${bytes} bytes)`);
}
