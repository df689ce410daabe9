/**
 * Add-ons: Helm releases on tenant clusters and on the management cluster, installed in the order of their
 * dependencies, watched object by object, rolled back when an upgrade fails. What is done is decided by pure functions
 * (`release/`); Helm runs beside the loop (`jobs/`).
 */
export * from "./addon-controllers.ts";
export * from "./admission/index.ts";
export * from "./catalog/index.ts";
export { usualPlaces } from "./jobs/job-places.ts";
