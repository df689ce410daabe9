/** The baseline add-ons of a tenant cluster: which ones, why, in which version and in which order. */
export { addonNames } from "./addon-names.ts";
export { isOfBaseline } from "./is-of-baseline.ts";
export { type BaselineAddon, baselineAddons, type BaselineInput } from "./baseline-addons.ts";
