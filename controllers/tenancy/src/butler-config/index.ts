/** The settings of the platform: what holds where nobody says otherwise, and how teams are dealt with. */
export { butlerConfigController } from "./controller.ts";
