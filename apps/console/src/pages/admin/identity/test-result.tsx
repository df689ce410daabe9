import type { RouteAnswer, testIdentityProvider } from "@butler/contract";
import { Facts, Notice } from "@butler/ui";

/** What a try of an issuer has shown. */
export function TestResult({ result }: { readonly result: RouteAnswer<typeof testIdentityProvider> }) {
  return (
    <>
      <Notice tone={result.valid ? "ready" : "failed"}>{result.message}</Notice>
      {result.valid && (
        <Facts
          facts={[
            ["People are sent to", result.authorizationEndpoint],
            ["Codes are exchanged at", result.tokenEndpoint],
          ]}
        />
      )}
    </>
  );
}
