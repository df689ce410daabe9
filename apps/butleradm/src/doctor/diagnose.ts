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

/** What is looked at, from the ground up: what comes first is often the cause of what comes later. */
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

/** Everything that was looked at, and what to do about what is wrong. */
export function diagnose(facts: DoctorFacts): CheckResult[] {
  return checks.flatMap((check) => check(facts));
}
