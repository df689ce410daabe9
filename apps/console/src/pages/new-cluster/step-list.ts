/** The steps of the wizard, in their order. */
export const steps = [
  { id: "place", label: "Provider and environment" },
  { id: "version", label: "Version and OS" },
  { id: "pools", label: "Node pools" },
  { id: "network", label: "Networking" },
  { id: "addons", label: "Add-ons" },
  { id: "review", label: "Review" },
] as const;

/** One of the steps. */
export type StepId = (typeof steps)[number]["id"];

/** The step IDs used in the URL. */
export const stepIds: readonly StepId[] = steps.map(({ id }) => id);

/** The previous or next step; undefined at the ends. */
export function neighbourOf(step: StepId, by: 1 | -1): StepId | undefined {
  return stepIds[stepIds.indexOf(step) + by];
}

/** Label of a step or of the YAML view. */
export function labelOf(step: StepId | "yaml"): string {
  return step === "yaml" ? "YAML" : labelOfStep(step);
}

function labelOfStep(step: StepId): string {
  return steps.find(({ id }) => id === step)?.label ?? step;
}
