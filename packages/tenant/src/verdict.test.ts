import { errorFromResponse } from "@butler/kube";
import { Timeout, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { isAboutCredentials, type Verdict, verdictOf } from "./verdict.ts";

const answer = (status: number): Error => errorFromResponse({ status, retryAfter: undefined, body: "", action: "get" });
const network = (code: string): Error =>
  new Unavailable("get", { cause: new Error("deep", { cause: Object.assign(new Error(code), { code }) }) });

describe("a failed request", () => {
  it.each<[string, Error, Verdict]>([
    ["a refusal", answer(403), "answered"],
    ["a thing that is not there", answer(404), "answered"],
    ["an overloaded server", answer(429), "answered"],
    ["a server in trouble", answer(500), "answered"],
    ["a gateway without a server that says so", answer(504), "answered"],
    ["an identity that is not believed", answer(401), "unauthenticated"],
    ["a limit that passed", new Timeout("get"), "unanswered"],
    ["a closed door", network("ECONNREFUSED"), "unanswered"],
    ["a name that leads nowhere", network("ENOTFOUND"), "unanswered"],
    ["an unknown error", new Error("?"), "unanswered"],
    ["a server of another authority", network("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "untrusted"],
    ["a server of another name", network("ERR_TLS_CERT_ALTNAME_INVALID"), "untrusted"],
    ["a server whose certificate has expired", network("CERT_HAS_EXPIRED"), "untrusted"],
    ["a key that is none", network("ERR_OSSL_PEM_NO_START_LINE"), "untrusted"],
    ["a certificate that is refused", network("ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE"), "unauthenticated"],
    ["a certificate that is missed", network("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"), "unauthenticated"],
  ])("because of %s", (_what, error, expected) => {
    expect(verdictOf(error, undefined)).toBe(expected);
    expect(verdictOf(error, new AbortController().signal)).toBe(expected);
    expect(isAboutCredentials(expected)).toBe(expected === "unauthenticated" || expected === "untrusted");
  });

  it("says nothing when the caller lost interest, and much when its deadline passed", async () => {
    expect(verdictOf(answer(500), AbortSignal.abort())).toBe("unheard");
    const deadline = AbortSignal.timeout(1);
    await new Promise((resolve) => deadline.addEventListener("abort", resolve));
    expect(verdictOf(new Error("?"), AbortSignal.any([deadline]))).toBe("unanswered");
  });

  it("ends where a cause leads back to its error", () => {
    const first = new Error("a");
    first.cause = new Error("b", { cause: first });
    expect(verdictOf(first, undefined)).toBe("unanswered");
  });
});
