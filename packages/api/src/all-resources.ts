import type { Resource } from "@butler/resource";
import { Team } from "./butler/team.ts";

/** Every kind, in the order in which their CRDs are written. */
export const allResources: readonly Resource[] = [Team];
