/** Accounts of people: which teams they are in, and whether they can sign in. */
export { userController } from "./controller.ts";
