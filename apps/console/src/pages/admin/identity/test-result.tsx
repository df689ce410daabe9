import type { RouteAnswer, testIdentityProvider } from "@butler/contract";
import { Facts, Notice } from "@butler/ui";

/** Result of an issuer test. */
export function TestResult({ result }: { readonly result: RouteAnswer<typeof testIdentityProvider> }) {
  return (
    <>
      <Notice tone={result.valid ? "ready" : "failed"}>{result.message}</Notice>
      {result.valid && (
        <Facts
          facts={[
            ["Authorization endpoint", result.authorizationEndpoint],
            ["Token endpoint", result.tokenEndpoint],
          ]}
        />
      )}
    </>
  );
}
