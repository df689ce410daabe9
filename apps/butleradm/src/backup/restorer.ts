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

/** An object that could not be restored, and the error. */
export interface RestoreFailure {
  readonly id: string;
  readonly message: string;
}

/** Writes objects of a backup into a cluster. */
export class Restorer {
  readonly #session: Session;
  /** Objects whose owner was not found. */
  readonly lostOwners: string[] = [];
  /** Clusters that belong to the restoring user, because the transfer of ownership failed. */
  readonly notHandedOver: string[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  /** The objects of a backup that exist in the cluster, by `idOf`. */
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
   * Sends a step as a dry run. Returns errors that are permanent, and ignores rejections that may disappear once
   * earlier objects exist.
   */
  async tryStep(step: RestoreStep): Promise<RestoreFailure | undefined> {
    try {
      await this.#write(step, true);
      return undefined;
    } catch (error) {
      this.#session.signal.throwIfAborted();
      const isForGood = error instanceof InvalidInput && error.details["reason"] === "Invalid" && !isDenial(error);
      return isForGood ? { id: idOf(step.object), message: describeError(error) } : undefined;
    }
  }

  /** Runs a step; returns the error if it fails. */
  async doStep(step: RestoreStep): Promise<RestoreFailure | undefined> {
    try {
      await this.#write(step, false);
      return undefined;
    } catch (error) {
      this.#session.signal.throwIfAborted();
      // Created concurrently by another client; if it differs, the next run reports it.
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

  /** A cluster cannot be created on behalf of another user, but an administrator may transfer it afterwards. */
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
    // Keep what was added since the backup, such as finalizers, and the creator.
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

  /**
   * The owner in this cluster; undefined if missing, because a dangling owner would get the object garbage-collected.
   */
  async #owner(owner: Omit<OwnerReference, "uid">, namespace: string | undefined): Promise<OwnerReference | undefined> {
    const kind = kindOf(owner.kind);
    if (kind === undefined) return undefined;
    const { client, signal } = this.#session;
    const key = { name: owner.name, ...(kind.scope === "Namespaced" ? { namespace } : {}) };
    const found: KubeObject | undefined = await client.find(kind, key, signal);
    return found?.metadata.uid === undefined ? undefined : { ...owner, uid: found.metadata.uid };
  }
}

/** A webhook may accept a denied object later, once its dependencies exist. */
function isDenial({ message }: Error): boolean {
  return message.includes("denied the request");
}

function requireKind(object: PortableObject): Kind {
  const kind = kindOf(object.kind);
  if (kind === undefined) throw new Bug(`unexpected kind in the backup: ${object.kind}`);
  return kind;
}

/** Rejects a backup if the cluster lacks kinds, or if it contains objects that Butler's backups never have. */
export async function requireKinds({ client, signal }: Session, objects: readonly PortableObject[]): Promise<void> {
  const foreign = objects.find(({ kind, apiVersion }) => {
    const known = kindOf(kind);
    return (
      known === undefined || apiVersion !== (known.group === "" ? known.version : `${known.group}/${known.version}`)
    );
  });
  if (foreign !== undefined) {
    throw new InvalidInput(
      `the backup contains a ${foreign.kind} (${foreign.apiVersion}), which this butleradm cannot restore`,
    );
  }
  const names = new Set(
    objects.flatMap(({ kind }) =>
      kindOf(kind)?.group === "" ? [] : `${kindOf(kind)?.plural ?? ""}.${kindOf(kind)?.group ?? ""}`,
    ),
  );
  for (const name of names) {
    if ((await client.find(builtinKinds.CustomResourceDefinition, { name }, signal)) !== undefined) continue;
    throw new NotFound(`CRD ${name} not found in the cluster`, {
      hint: "Install Butler first: butleradm install",
    });
  }
}
