import { createAuthority, issueCertificate } from "@butler/pki";
import { anObject } from "@butler/testkit";
import { builtinKinds } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { certificatesOf, healthOf, isBeingRotated, secretsToRotate, worstHealth } from "./certificates.ts";

const byText = (left: readonly unknown[], right: readonly unknown[]): number =>
  String(left).localeCompare(String(right));
const encoded = (text: string): string => Buffer.from(text).toString("base64");

describe("certificates of a control plane", () => {
  it("are found in entries and in kubeconfigs, without their keys, with their health and expiry", async () => {
    const authority = await createAuthority("tests");
    const server = await issueCertificate(authority, {
      commonName: "kube-apiserver",
      usages: ["server"],
      dnsNames: ["kubernetes"],
    });
    const admin = await issueCertificate(authority, { commonName: "admin", usages: ["client"] });
    const kubeconfig = `users:\n- user:\n    client-certificate-data: ${encoded(admin.cert)}\n`;
    const secrets = [
      anObject(builtinKinds.Secret, {
        name: "ca",
        body: { data: { "ca.crt": encoded(authority.cert), "ca.key": encoded(authority.key) } },
      }),
      anObject(builtinKinds.Secret, {
        name: "api",
        body: { data: { "tls.crt": encoded(server.cert), "tls.key": encoded(server.key) } },
      }),
      anObject(builtinKinds.Secret, { name: "admin", body: { data: { "admin.conf": encoded(kubeconfig) } } }),
      anObject(builtinKinds.Secret, { name: "junk", body: { data: { "x.crt": encoded("nothing"), y: 7 } } }),
    ];
    const found = certificatesOf(secrets, new Date());
    expect(found.map(({ secretName, subject, isCA }) => [secretName, subject, isCA]).sort(byText)).toEqual([
      ["admin", "admin", false],
      ["api", "kube-apiserver", false],
      ["ca", "tests", true],
    ]);
    expect(JSON.stringify(found)).not.toContain("PRIVATE KEY");
    expect(secretsToRotate(found, "kubeconfigs")).toEqual(["admin"]);
    expect(secretsToRotate(found, "all")).toEqual(["admin", "api"]);
    expect(secretsToRotate(found, "ca")).toEqual(["admin", "api", "ca"]);
    expect(worstHealth(certificatesOf(secrets, new Date("2100-01-01")))).toBe("Expired");
  });

  it.each([
    [-1, "Expired"],
    [0, "Critical"],
    [6, "Critical"],
    [7, "Warning"],
    [29, "Warning"],
    [30, "Healthy"],
  ])("%i days left are %s", (days, health) => expect(healthOf(days)).toBe(health));

  it("are being rotated while the annotation is present", () => {
    const marked = anObject(builtinKinds.Secret, { annotations: { "certs.steward.butlerlabs.dev/rotate": "" } });
    expect([isBeingRotated(marked), isBeingRotated(anObject(builtinKinds.Secret))]).toEqual([true, false]);
    expect(worstHealth([])).toBe("Healthy");
  });
});
