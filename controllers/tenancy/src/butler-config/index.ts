/** The settings of the platform: defaults and the tenancy mode. */
export { butlerConfigController } from "./controller.ts";
