/** Places where people sign in: whether anybody could do so at the moment. */
export { identityProviderController } from "./controller.ts";
export { createIdentityProviderPorts } from "./ports.ts";
