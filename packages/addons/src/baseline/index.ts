/** What a tenant cluster is made with: which add-ons, why, in which version and in which order. */
export { addonNames } from "./addon-names.ts";
export { type BaselineAddon, baselineAddons, type BaselineInput } from "./baseline-addons.ts";
