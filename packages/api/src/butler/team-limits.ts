import type { Team } from "./team.ts";

type Limits = NonNullable<Team["spec"]["resourceLimits"]>;

/** A team's limits, with deprecated fields mapped to the current ones. */
export function effectiveLimits(limits: Limits): Omit<Limits, "maxTotalCPU" | "maxTotalMemory" | "maxTotalStorage"> {
  const { maxTotalCPU, maxTotalMemory, maxTotalStorage, ...rest } = limits;
  return {
    ...rest,
    maxCPUCores: limits.maxCPUCores ?? maxTotalCPU,
    maxMemory: limits.maxMemory ?? maxTotalMemory,
    maxStorage: limits.maxStorage ?? maxTotalStorage,
  };
}
