// Lines of the product whose failure must be detected, see README.md.
import type { Mutation } from "../../tools/mutations/mutation.ts";
import { commandLineMutations } from "./command-lines.ts";
import { controllerMutations } from "./controllers.ts";
import { kubeMutations } from "./kube.ts";
import { serverMutations } from "./server.ts";
import { tenancyMutations } from "./tenancy.ts";

export const mutations: readonly Mutation[] = [
  ...tenancyMutations,
  ...controllerMutations,
  ...serverMutations,
  ...commandLineMutations,
  ...kubeMutations,
];
