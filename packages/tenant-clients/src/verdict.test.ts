import { errorFromResponse } from "@butler/kube";
import { Timeout, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { isAboutCredentials, type Verdict, verdictOf } from "./verdict.ts";

const answer = (status: number): Error => errorFromResponse({ status, retryAfter: undefined, body: "", action: "get" });
const network = (code: string): Error =>
  new Unavailable("get", { cause: new Error("deep", { cause: Object.assign(new Error(code), { code }) }) });

describe("a failed request", () => {
  it.each<[string, Error, Verdict]>([
    ["a rejection", answer(403), "answered"],
    ["a missing object", answer(404), "answered"],
    ["an overloaded server", answer(429), "answered"],
    ["a failing server", answer(500), "answered"],
    ["a gateway without a server that says so", answer(504), "answered"],
    ["rejected credentials", answer(401), "unauthenticated"],
    ["a timeout", new Timeout("get"), "unanswered"],
    ["a closed port", network("ECONNREFUSED"), "unanswered"],
    ["a name that does not resolve", network("ENOTFOUND"), "unanswered"],
    ["an unknown error", new Error("?"), "unanswered"],
    ["a server of another CA", network("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "untrusted"],
    ["a server of another name", network("ERR_TLS_CERT_ALTNAME_INVALID"), "untrusted"],
    ["a server whose certificate has expired", network("CERT_HAS_EXPIRED"), "untrusted"],
    ["an invalid key", network("ERR_OSSL_PEM_NO_START_LINE"), "untrusted"],
    ["a rejected certificate", network("ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE"), "unauthenticated"],
    ["a missing client certificate", network("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"), "unauthenticated"],
  ])("because of %s", (_what, error, expected) => {
    expect(verdictOf(error, undefined)).toBe(expected);
    expect(verdictOf(error, new AbortController().signal)).toBe(expected);
    expect(isAboutCredentials(expected)).toBe(expected === "unauthenticated" || expected === "untrusted");
  });

  it("is ignored after a cancellation, and counted after a timeout", async () => {
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
