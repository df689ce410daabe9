import { describeError } from "@butler/std";
import { discoveryAddress, type IssuerFacts, invalidIssuer, judgeDiscovery } from "./judge-issuer.ts";
import { outgoingFetch, type OutgoingOptions } from "@butler/std/outgoing";

/** Fetches the discovery document of an issuer, without following redirects. Errors are part of the result. */
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
    return invalidIssuer(`failed to query the issuer: ${describeError(error)}`);
  }
}
