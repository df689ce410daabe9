import {
  listAll,
  type KubeClient,
  type ListOptions,
  type ReadLimits,
  requireWithin,
  tenantReadLimits,
} from "@butler/kube";
import { apiVersionOf, type Kind, keyText, type KubeObject } from "@butler/resource";
import { NotFound } from "@butler/std";
import { mapBounded } from "../map-bounded.ts";
import { isReadyByExisting } from "../objects/readiness-of.ts";
import { type PlacedObject, textOf } from "./placed-object.ts";

/** Concurrent requests. A tenant's API server is small and shared with other clients. */
export const mostRequests = 4;

/** Objects so large (a schema per version) that listing others' costs more than one request for each. */
const largeKinds: ReadonlySet<string> = new Set(["CustomResourceDefinition"]);

/** The number of objects of a kind in a namespace above which a release in it cannot be inspected. */
const mostListed = 20_000;

/** One request to the API server, and the objects that its response covers. */
interface Question {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly objects: readonly PlacedObject[];
}

/** The objects found in the cluster. */
export interface LiveObjects {
  readonly found: ReadonlyMap<PlacedObject, KubeObject>;
  /** Objects whose kind is in discovery but no longer served. */
  readonly unserved: ReadonlySet<PlacedObject>;
}

/** Reads the live objects with as few requests as possible. */
export async function readLive(
  client: Pick<KubeClient, "list">,
  placed: readonly PlacedObject[],
  signal?: AbortSignal,
): Promise<LiveObjects> {
  const found = new Map<PlacedObject, KubeObject>();
  const unserved = new Set<PlacedObject>();
  const kept = { bytes: 0 };
  await mapBounded(questionsFor(placed), mostRequests, async (question) => {
    const answer = await ask(client, question, { kept, signal });
    for (const each of question.objects) {
      const live = answer?.get(keyText(each.key));
      if (answer === undefined) unserved.add(each);
      else if (live !== undefined) found.set(each, live);
    }
  });
  return { found, unserved };
}

/** Every object of a kind, where few are expected. */
export async function listWhole(
  client: Pick<KubeClient, "list">,
  kind: Kind,
  options: ListOptions,
): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  for await (const object of listAll(client, kind, { ...tenantReadLimits, ...options })) objects.push(object);
  return objects;
}

/** Lists of a kind in a namespace, or single objects where one is wanted alone or they are large. */
export function questionsFor(placed: readonly PlacedObject[]): readonly Question[] {
  const groups = Map.groupBy(
    placed.filter(({ kind }) => kind !== undefined),
    ({ wanted: { apiVersion, kind }, key }) => JSON.stringify([apiVersion, kind, key.namespace ?? ""]),
  );
  return [...groups.values()].flatMap((objects): Question[] => {
    const [first] = objects;
    if (first?.kind === undefined) return [];
    const { kind, key } = first;
    const { namespace } = key;
    if (objects.length > 1 && !largeKinds.has(kind.kind))
      return [{ kind, namespace, fieldSelector: undefined, objects }];
    return objects.map((each) => ({ kind, namespace, fieldSelector: nameSelector(each.key.name), objects: [each] }));
  });
}

/** A list with one name costs as much as a get, and can return metadata only. */
function nameSelector(name: string): string {
  return `metadata.name=${name.replace(/[\\,=]/g, String.raw`\$&`)}`;
}

async function ask(
  client: Pick<KubeClient, "list">,
  { kind, namespace, fieldSelector, objects }: Question,
  { kept, signal }: { readonly kept: { bytes: number }; readonly signal: AbortSignal | undefined },
): Promise<ReadonlyMap<string, KubeObject> | undefined> {
  const metadataOnly = isReadyByExisting({ apiVersion: apiVersionOf(kind), kind: kind.kind });
  const options: ListOptions = { namespace, fieldSelector, metadataOnly, signal };
  const names = new Set(objects.map(({ key }) => keyText(key)));
  const wanted = new Map<string, KubeObject>();
  try {
    // What is not wanted is not kept, so its size does not matter.
    const limits: ReadLimits = { ...tenantReadLimits, maximumObjects: mostListed, maximumBytes: undefined };
    for await (const live of listAll(client, kind, { ...options, ...limits }))
      if (names.has(textOf(live))) {
        kept.bytes += JSON.stringify(live).length;
        requireWithin(kind, tenantReadLimits, { objects: 0, bytes: kept.bytes });
        wanted.set(textOf(live), live);
      }
    return wanted;
  } catch (error) {
    // A list is never NotFound: the server no longer serves the kind.
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
