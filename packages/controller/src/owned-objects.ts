import { apiVersionOf, controllerReference, type Kind, kindId, type KubeObject } from "@butler/resource";
import { Bug } from "@butler/std";
import type { ControllerDefinition } from "./define-controller.ts";
import type { Effect } from "./plan.ts";

type AnyDefinition = Pick<ControllerDefinition<never, never, Effect, never>, "name" | "owns">;

/** The declared kind of an object in a plan; a plan with an undeclared kind is a programming error. */
export function ownedKindOf(definition: AnyDefinition, object: Pick<KubeObject, "apiVersion" | "kind">): Kind {
  const match = definition.owns?.find(
    ({ kind }) => apiVersionOf(kind) === object.apiVersion && kind.kind === object.kind,
  );
  if (match !== undefined) return match.kind;
  throw new Bug(`controller ${definition.name} applies ${object.apiVersion} ${object.kind}, which it does not declare`);
}

/** Rejects the removal of an undeclared kind. */
export function requireOwned(definition: AnyDefinition, kind: Kind): void {
  if (definition.owns?.some((owned) => kindId(owned.kind) === kindId(kind)) !== true) {
    throw new Bug(`controller ${definition.name} removes ${kindId(kind)}, which it does not declare`);
  }
}

/**
 * The object as it is applied: with the owner reference that makes Kubernetes delete it with its owner. Left out where
 * Kubernetes does not allow one (across namespaces) and where the plan states references itself.
 */
export function withOwner<T extends KubeObject>(object: T, owner: KubeObject): T {
  const mayOwn = owner.metadata.namespace === undefined || owner.metadata.namespace === object.metadata.namespace;
  if (!mayOwn || object.metadata.ownerReferences !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, ownerReferences: [controllerReference(owner)] } };
}

/** The key of the primary object that owns an object, when its controller is of the primary kind. */
export function ownerKeyOf(primary: Kind, object: KubeObject): { name: string; namespace?: string } | undefined {
  const reference = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (reference === undefined || reference.kind !== primary.kind) return undefined;
  if (reference.apiVersion.split("/")[0] !== apiVersionOf(primary).split("/")[0]) return undefined;
  const { namespace } = object.metadata;
  return { name: reference.name, ...(primary.scope === "Namespaced" && namespace ? { namespace } : {}) };
}
