import { isRecord } from "@butler/std";
import { ChartUnavailable } from "./chart-unavailable.ts";

/** The layer of a manifest that is the chart. */
export interface ChartLayer {
  readonly digest: string;
  readonly bytes: number;
}

export const manifestType = "application/vnd.oci.image.manifest.v1+json";
const configType = "application/vnd.cncf.helm.config.v1+json";
/** The current media type of Helm, and the one of its experimental phase. */
const layerTypes: ReadonlySet<unknown> = new Set([
  "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
  "application/tar+gzip",
]);

/** Finds the chart layer in a manifest; a container image, for example, has none. */
export function chartLayerOf(text: string, host: string): ChartLayer {
  const manifest = parseObject(text, host);
  const { config, layers } = manifest;
  if (!isRecord(config) || config["mediaType"] !== configType || !Array.isArray(layers)) {
    throw new ChartUnavailable("ChartInvalid", `the artifact with this name at ${host} is not a Helm chart`, {
      hint: "Check the name: a registry also contains images and other artifacts.",
    });
  }
  const charts = layers.filter((layer) => isRecord(layer) && layerTypes.has(layer["mediaType"])) as unknown[];
  const [layer] = charts;
  if (charts.length !== 1 || !isRecord(layer)) throw invalid(host, "does not contain exactly one chart");
  const { digest, size } = layer;
  if (typeof digest !== "string" || typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) {
    throw invalid(host, "does not specify the digest and size of its chart");
  }
  return { digest, bytes: size };
}

/** The tags of a list; other values are ignored. */
export function tagsOf(text: string, host: string): readonly string[] {
  const { tags } = parseObject(text, host);
  return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === "string") : [];
}

/** The token in the response of a realm; undefined when it is missing or unusable. */
export function tokenOf(text: string, host: string): string | undefined {
  const { token, access_token: accessToken } = parseObject(text, host);
  const found = token ?? accessToken;
  return typeof found === "string" && /^[\x21-\x7e]{1,16384}$/.test(found) ? found : undefined;
}

/** Tags cannot contain a plus; Helm writes an underscore instead. */
export function tagOf(version: string): string {
  return version.replaceAll("+", "_");
}

/** The version of a tag written by Helm. */
export function versionOfTag(tag: string): string {
  return tag.replaceAll("_", "+");
}

function parseObject(text: string, host: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The response is not quoted.
  }
  throw new ChartUnavailable("RepositoryInvalid", `${host} returned a response that is not JSON`, {
    hint: "Check that the URL points to a registry.",
  });
}

function invalid(host: string, what: string): ChartUnavailable {
  return new ChartUnavailable("RepositoryInvalid", `the manifest at ${host} ${what}`);
}
