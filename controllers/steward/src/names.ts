/** The domain of all labels, annotations and finalizers of Steward. */
export const stewardDomain = "steward.butlerlabs.dev";

/** The label of all objects of Steward, in the management cluster and in tenants. */
export const projectLabel = `${stewardDomain}/project`;

/** The label with the control plane of an object; also the pod selector. */
export const nameLabel = `${stewardDomain}/name`;

/** The label with the component of an object. */
export const componentLabel = `${stewardDomain}/component`;

/** The annotation whose presence pauses the reconciliation of an object. */
export const pausedAnnotation = `${stewardDomain}/paused`;

/** The labels of Steward's own objects. */
export const projectLabels = { [projectLabel]: "steward" } as const;

/**
 * Selects the objects of Steward: other Secrets and pods need not be cached, and controllers that ask for the same
 * share one cache.
 */
export const ofSteward = { labelSelector: `${projectLabel}=steward` } as const;

/** The labels of an object of a control plane. */
export function labelsOf(controlPlane: string, component: string): Record<string, string> {
  return { ...projectLabels, [nameLabel]: controlPlane, [componentLabel]: component };
}
