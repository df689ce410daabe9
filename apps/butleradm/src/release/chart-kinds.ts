import type { Session } from "@butler/cli-session";
import { Helm, HelmFailed } from "@butler/helm";
import { applyCrds } from "@butler/kube";
import { builtinKinds, type DynamicObject, type KubeObject } from "@butler/resource";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import { parseAllDocuments } from "yaml";
import type { Intention } from "./read-preflight.ts";

/** Helm's own field manager, so that no second owner of fields is left behind. */
const fieldManager = "helm";

/** The CRDs of a chart with these values, as Helm would apply them. */
export async function chartKinds(program: string, { namespace, chart, values }: Intention): Promise<KubeObject[]> {
  const { chartRelease: release, explainHelm } = await import("@butler/butler/chart");
  const request = { release, namespace, chart: chart.path, values, createNamespace: true };
  try {
    return kindsIn(await new Helm({ program }).template(request), { release, namespace });
  } catch (error) {
    throw error instanceof HelmFailed ? explainHelm(error, namespace) : error;
  }
}

/** The CustomResourceDefinitions of a manifest, with the ownership metadata of the release. */
export function kindsIn(
  manifest: string,
  place: { readonly release: string; readonly namespace: string },
): KubeObject[] {
  const documents = parseAllDocuments(manifest);
  return (Array.isArray(documents) ? documents : []).flatMap((document) => {
    const content: unknown = document.toJS();
    return isRecord(content) && content["kind"] === "CustomResourceDefinition"
      ? [withOwner(content as DynamicObject, place)]
      : [];
  });
}

function withOwner(
  object: DynamicObject,
  { release, namespace }: { release: string; namespace: string },
): DynamicObject {
  const { metadata } = object;
  const labels = { ...metadata.labels, "app.kubernetes.io/managed-by": "Helm" };
  const marks = { "meta.helm.sh/release-name": release, "meta.helm.sh/release-namespace": namespace };
  return { ...object, metadata: { ...metadata, labels, annotations: { ...metadata.annotations, ...marks } } };
}

/** Validates CRDs on the API server with a dry run. */
export async function tryKinds({ client, signal }: Session, kinds: readonly KubeObject[]): Promise<void> {
  for (const kind of kinds) {
    try {
      await client.apply(builtinKinds.CustomResourceDefinition, kind, { fieldManager, dryRun: true, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new InvalidInput(`the API server rejected the CRD ${kind.metadata.name}: ${describeError(error)}`, {
        hint: "Nothing was changed.",
      });
    }
  }
}

/** Applies CRDs and waits until the API server serves them. */
export function writeKinds({ client, signal }: Session, kinds: readonly KubeObject[]): Promise<void> {
  return applyCrds(client, kinds, { fieldManager, signal });
}
