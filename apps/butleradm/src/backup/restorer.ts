import { annotations as annotationKeys, TenantCluster } from "@butler/api";
import type { Session } from "@butler/cli-session";
import { AlreadyExists } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind, type KubeObject, type OwnerReference } from "@butler/resource";
import { Bug, describeError, InvalidInput, NotFound } from "@butler/std";
import { kindOf } from "./backup-kinds.ts";
import { idOf } from "./order.ts";
import type { RestoreStep } from "./plan-restore.ts";
import type { PortableObject } from "./portable.ts";

const fieldManager = "butleradm";

/** Something that did not go as it should, and with what. */
export interface Trouble {
  readonly id: string;
  readonly message: string;
}

/** Writes objects of a backup into a cluster. */
export class Restorer {
  readonly #session: Session;
  /** Owners that were not found, by what they own. */
  readonly lostOwners: string[] = [];
  /** Clusters that are now the person's who restores them. */
  readonly notHandedOver: string[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  /** What is in the cluster of what a backup has, by `idOf`. */
  async readLive(objects: readonly PortableObject[]): Promise<Map<string, KubeObject>> {
    const { client, signal } = this.#session;
    const live = new Map<string, KubeObject>();
    for (const object of objects) {
      const found: KubeObject | undefined = await client.find(requireKind(object), object.metadata, signal);
      if (found !== undefined) live.set(idOf(object), found);
    }
    return live;
  }

  /**
   * Has the API server look at what would be written. What it would never take is an error; what it does not take yet,
   * because something that comes before it is not there, is for later.
   */
  async tryStep(step: RestoreStep): Promise<Trouble | undefined> {
    try {
      await this.#write(step, true);
      return undefined;
    } catch (error) {
      this.#session.signal.throwIfAborted();
      const isForGood = error instanceof InvalidInput && error.details["reason"] === "Invalid" && !isDenial(error);
      return isForGood ? { id: idOf(step.object), message: describeError(error) } : undefined;
    }
  }

  /** Writes; gives what kept it from being written. */
  async doStep(step: RestoreStep): Promise<Trouble | undefined> {
    try {
      await this.#write(step, false);
      return undefined;
    } catch (error) {
      this.#session.signal.throwIfAborted();
      // Whoever was quicker has made what was wanted, or something else that the next run shows.
      if (error instanceof AlreadyExists) return undefined;
      return { id: idOf(step.object), message: describeError(error) };
    }
  }

  async #write(step: RestoreStep, dryRun: boolean): Promise<void> {
    if (step.action !== "create" && step.action !== "replace") return;
    const { client, signal } = this.#session;
    const kind = requireKind(step.object);
    const { status, ...object } = await this.#whole(step, dryRun);
    const options = { fieldManager, dryRun, signal };
    if (step.action === "create" && kind === TenantCluster) await this.#createCluster(object, options);
    else if (step.action === "create") await client.create(kind, object, options);
    else await client.replace(kind, object, options);
    if (status === undefined || dryRun) return;
    await client.patch(kind, step.object.metadata, {
      ...options,
      type: "merge",
      patch: { status },
      subresource: "status",
    });
  }

  /** Nobody makes a cluster in another's name, but an administrator may hand one over. */
  async #createCluster(
    object: KubeObject,
    options: { fieldManager: string; dryRun: boolean; signal: AbortSignal },
  ): Promise<void> {
    const { client } = this.#session;
    const { [annotationKeys.owner]: owner, ...annotations } = object.metadata.annotations ?? {};
    await client.create(TenantCluster, { ...object, metadata: { ...object.metadata, annotations } }, options);
    if (owner === undefined || options.dryRun) return;
    const patch = { metadata: { annotations: { [annotationKeys.owner]: owner } } };
    try {
      await client.patch(TenantCluster, object.metadata, { ...options, type: "merge", patch });
    } catch (error) {
      this.#session.signal.throwIfAborted();
      this.notHandedOver.push(`${idOf(object)} to ${owner} (${describeError(error)})`);
    }
  }

  async #whole(step: RestoreStep, dryRun: boolean): Promise<DynamicObject> {
    const { owners = [], ...wanted } = step.object;
    const found = await Promise.all(owners.map((owner) => this.#owner(owner, wanted.metadata.namespace)));
    const ownerReferences = found.filter((owner) => owner !== undefined);
    if (ownerReferences.length < owners.length && !dryRun) this.lostOwners.push(idOf(step.object));
    const references = ownerReferences.length === 0 ? {} : { ownerReferences };
    if (step.action !== "replace") return { ...wanted, metadata: { ...wanted.metadata, ...references } };
    // What others have put on it since stays: finalizers above all, and who has made it.
    const { [annotationKeys.creatorEmail]: creator } = step.live.metadata.annotations ?? {};
    const made = creator === undefined ? {} : { [annotationKeys.creatorEmail]: creator };
    const annotations = { ...wanted.metadata.annotations, ...made };
    return {
      ...wanted,
      metadata: {
        ...step.live.metadata,
        managedFields: undefined,
        ...wanted.metadata,
        labels: wanted.metadata.labels,
        annotations,
        ...references,
      },
    };
  }

  /** The owner as it is in this cluster; undefined when there is none, as one that never was would take the object along. */
  async #owner(owner: Omit<OwnerReference, "uid">, namespace: string | undefined): Promise<OwnerReference | undefined> {
    const kind = kindOf(owner.kind);
    if (kind === undefined) return undefined;
    const { client, signal } = this.#session;
    const key = { name: owner.name, ...(kind.scope === "Namespaced" ? { namespace } : {}) };
    const found: KubeObject | undefined = await client.find(kind, key, signal);
    return found?.metadata.uid === undefined ? undefined : { ...owner, uid: found.metadata.uid };
  }
}

/** What a webhook does not let in now it may let in later, when what the object needs is there. */
function isDenial({ message }: Error): boolean {
  return message.includes("denied the request");
}

function requireKind(object: PortableObject): Kind {
  const kind = kindOf(object.kind);
  if (kind === undefined) throw new Bug(`a backup has no business with ${object.kind}`);
  return kind;
}

/** Refuses a backup for a cluster that lacks kinds, or with objects that no backup of ours has. */
export async function requireKinds({ client, signal }: Session, objects: readonly PortableObject[]): Promise<void> {
  const foreign = objects.find(({ kind, apiVersion }) => {
    const known = kindOf(kind);
    return (
      known === undefined || apiVersion !== (known.group === "" ? known.version : `${known.group}/${known.version}`)
    );
  });
  if (foreign !== undefined) {
    throw new InvalidInput(
      `the backup has a ${foreign.kind} of ${foreign.apiVersion}, which this butleradm does not restore`,
    );
  }
  const names = new Set(
    objects.flatMap(({ kind }) =>
      kindOf(kind)?.group === "" ? [] : `${kindOf(kind)?.plural ?? ""}.${kindOf(kind)?.group ?? ""}`,
    ),
  );
  for (const name of names) {
    if ((await client.find(builtinKinds.CustomResourceDefinition, { name }, signal)) !== undefined) continue;
    throw new NotFound(`the cluster does not have the kind ${name}`, {
      hint: "Install Butler first: butleradm install",
    });
  }
}
