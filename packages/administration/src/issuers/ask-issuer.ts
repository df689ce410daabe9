import { describeError } from "@butler/std";
import { discoveryAddress, type IssuerFacts, invalidIssuer, judgeDiscovery } from "./judge-issuer.ts";
import { outgoingFetch, type OutgoingOptions } from "./outgoing.ts";

/** Asks an issuer for its discovery document, and follows it nowhere. What goes wrong is part of the answer. */
export async function askIssuer(
  issuerURL: string,
  options: OutgoingOptions & { readonly signal: AbortSignal },
): Promise<IssuerFacts> {
  const { signal, ...outgoing } = options;
  try {
    const ask = outgoingFetch(outgoing);
    const response = await ask(discoveryAddress(issuerURL), { signal, headers: { accept: "application/json" } });
    return judgeDiscovery(issuerURL, { status: response.status, text: await response.text() });
  } catch (error) {
    signal.throwIfAborted();
    return invalidIssuer(`the issuer does not answer as it should: ${describeError(error)}`);
  }
}
