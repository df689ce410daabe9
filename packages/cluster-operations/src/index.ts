/**
 * Operations on a tenant cluster: scale, upgrade, move, protect and delete. Decides what is allowed, what it comes to,
 * and the patch that does it. Pure and without Node modules: the server, the console, both command-line tools and the
 * dashboard decide with the same code.
 */
export { type DeletionDecision, decideDeletion } from "./delete.ts";
export { type FieldChange, type JsonPatch, changeField } from "./field-patch.ts";
export { decideMove, type MoveTarget } from "./move.ts";
export type { Decision, Refusal } from "./decision.ts";
export { decideProtection, isProtected } from "./protect.ts";
export { decideScale, readWorkers, type Scaling, smallestPool } from "./scale.ts";
export { decideUpgrade, isAllowedVersion } from "./upgrade.ts";
