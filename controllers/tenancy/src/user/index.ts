/** User accounts: their teams, and whether they can sign in. */
export { userController } from "./controller.ts";
