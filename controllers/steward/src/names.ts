/** The domain of all labels, annotations and finalizers of Steward's. */
export const stewardDomain = "steward.butlerlabs.dev";

/** The label that everything of Steward's carries, in the management cluster and in tenants. */
export const projectLabel = `${stewardDomain}/project`;

/** The label that says which control plane an object belongs to; the pods are found by it. */
export const nameLabel = `${stewardDomain}/name`;

/** The label that says which part an object is. */
export const componentLabel = `${stewardDomain}/component`;

/** The annotation whose mere presence makes Steward leave an object alone. */
export const pausedAnnotation = `${stewardDomain}/paused`;

/** What tells Steward's own objects from those of others. */
export const projectLabels = { [projectLabel]: "steward" } as const;

/**
 * Selects everything of Steward's: nobody else's Secrets and pods need be kept in memory, and controllers that ask for the
 * same share one cache.
 */
export const ofSteward = { labelSelector: `${projectLabel}=steward` } as const;

/** The labels of an object of a control plane. */
export function labelsOf(controlPlane: string, component: string): Record<string, string> {
  return { ...projectLabels, [nameLabel]: controlPlane, [componentLabel]: component };
}
