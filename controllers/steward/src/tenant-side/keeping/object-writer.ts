import { AlreadyExists, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, keyText, type Kind, kindId, type KubeObject } from "@butler/resource";
import { InvalidInput, ignoreNotFound, NotFound } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { keptKindOf } from "../kinds.ts";
import { fieldManager } from "./drift.ts";

/** Writes objects into a tenant, replacing whatever conflicts with them. */
export class ObjectWriter {
  readonly #client: KubeClient;
  readonly #logger: Logger;

  constructor(client: KubeClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** The live object; undefined when it does not exist. */
  find(object: KubeObject, signal: AbortSignal): Promise<DynamicObject | undefined> {
    return this.#client.find(keptKindOf(object), object.metadata, signal);
  }

  /** Applies an object and returns the stored one. */
  async apply(object: KubeObject, signal: AbortSignal): Promise<DynamicObject> {
    const kind = keptKindOf(object);
    const attempt = (): Promise<DynamicObject> => this.#client.apply(kind, object, { fieldManager, signal });
    try {
      return await attempt();
    } catch (error) {
      const isHelped =
        (error instanceof NotFound && (await this.#makeNamespace(object, signal))) ||
        (error instanceof InvalidInput && (await this.#clearTheWay(kind, object, signal)));
      if (!isHelped) throw error;
      return attempt();
    }
  }

  /** Deletes this object (by UID); one that does not exist is no error. */
  async remove(live: KubeObject, signal: AbortSignal): Promise<void> {
    await this.#client
      .delete(keptKindOf(live), live.metadata, { uid: live.metadata.uid, signal })
      .catch(ignoreNotFound);
  }

  /** A control plane creates its own namespaces shortly after startup; create them here instead of waiting. */
  async #makeNamespace({ metadata }: KubeObject, signal: AbortSignal): Promise<boolean> {
    const { namespace } = metadata;
    if (namespace === undefined) return false;
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    try {
      await this.#client.create(builtinKinds.Namespace, body, { fieldManager, signal });
    } catch (error) {
      if (!(error instanceof AlreadyExists)) throw error;
    }
    return true;
  }

  /**
   * Deletes an object that cannot be updated to the desired one: a binding of another role, a Service with another
   * address, an immutable ConfigMap. Only if the replacement would be accepted, so that none is lost.
   */
  async #clearTheWay(...[kind, object, signal]: [Kind, KubeObject, AbortSignal]): Promise<boolean> {
    const live = await this.find(object, signal);
    if (live === undefined || !(await this.#wouldBeAccepted(kind, object, signal))) return false;
    this.#logger.warn("object replaced", { kind: kindId(kind), object: keyText(object.metadata) });
    await this.remove(live, signal);
    return true;
  }

  /** The API server validates the object before it checks whether the name exists. */
  async #wouldBeAccepted(...[kind, object, signal]: [Kind, KubeObject, AbortSignal]): Promise<boolean> {
    try {
      await this.#client.create(kind, object, { dryRun: true, fieldManager, signal });
      return true;
    } catch (error) {
      if (error instanceof AlreadyExists) return true;
      if (error instanceof InvalidInput) return false;
      throw error;
    }
  }
}
