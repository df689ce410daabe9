/** The add-ons that a tenant cluster is made with: which TenantAddons it gets, and what they mean for its own status. */
export { addonName } from "./addon-object.ts";
export { type AddonPlan, planAddons } from "./plan-addons.ts";
