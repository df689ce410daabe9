import type { CheckResult } from "../platform/check-result.ts";
import type { DoctorFacts } from "../platform/facts.ts";
import { clusterApiCheck } from "./cluster-api-check.ts";
import { certificatesCheck, componentsCheck, kindsCheck, releaseCheck, webhooksCheck } from "./installation-checks.ts";
import {
  addonsCheck,
  clustersCheck,
  finalizersCheck,
  namespacesCheck,
  poolsCheck,
  storesCheck,
  unreadableCheck,
} from "./object-checks.ts";

type Check = (facts: DoctorFacts) => readonly CheckResult[];

/** All checks, lowest layer first, because failures of lower layers often cause those above. */
const checks: readonly Check[] = [
  releaseCheck,
  kindsCheck,
  componentsCheck,
  webhooksCheck,
  certificatesCheck,
  storesCheck,
  clusterApiCheck,
  finalizersCheck,
  clustersCheck,
  addonsCheck,
  poolsCheck,
  namespacesCheck,
  unreadableCheck,
];

/** Results of all checks, with remedies for failures. */
export function diagnose(facts: DoctorFacts): CheckResult[] {
  return checks.flatMap((check) => check(facts));
}
