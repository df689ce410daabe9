/** The baseline add-ons of a tenant cluster: its TenantAddons, and their effect on its status. */
export { addonName } from "./addon-object.ts";
export { type AddonPlan, planAddons } from "./plan-addons.ts";
