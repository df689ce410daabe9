/** Identity providers: whether users can sign in through them. */
export { identityProviderController } from "./controller.ts";
export { createIdentityProviderPorts } from "./ports.ts";
