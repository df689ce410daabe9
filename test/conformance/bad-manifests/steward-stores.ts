import { DataStore, KubeconfigGenerator } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const secretKey = (keyPath: string) => ({ secretReference: { name: "etcd-certs", namespace: "default", keyPath } });

const etcd = manifestOf(DataStore, "bad-store", {
  driver: "etcd",
  endpoints: ["etcd-0:2379"],
  tlsConfig: {
    certificateAuthority: { certificate: secretKey("ca.crt"), privateKey: secretKey("ca.key") },
    clientCertificate: { certificate: secretKey("tls.crt"), privateKey: secretKey("tls.key") },
  },
});
const postgres = {
  ...etcd,
  spec: {
    driver: "PostgreSQL",
    endpoints: ["postgres:5432"],
    basicAuth: { username: { content: "cm9vdA==" }, password: { content: "c2VjcmV0" } },
  },
};
const generator = manifestOf(KubeconfigGenerator, "bad-generator", { user: { stringValue: "auditor" } });
const oneValue = "exactly one of stringValue or fromDefinition must be set";

/** Broken DataStores and KubeconfigGenerators. */
export const badStores: readonly BadManifest[] = [
  {
    name: "DataStore: no driver",
    manifest: changeSpec(etcd, "driver", undefined),
    expect: "spec.driver: Required value",
  },
  {
    name: "DataStore: driver that does not exist",
    manifest: changeSpec(postgres, "driver", "SQLite"),
    expect: 'spec.driver: Unsupported value: "SQLite": supported values: "etcd", "MySQL", "PostgreSQL", "NATS"',
  },
  {
    name: "DataStore: driver changes",
    before: postgres,
    manifest: changeSpec(postgres, "driver", "MySQL"),
    expect: 'spec.driver: Invalid value: "MySQL": driver is immutable',
  },
  {
    name: "DataStore: no endpoints",
    manifest: changeSpec(etcd, "endpoints", undefined),
    expect: "spec.endpoints: Required value",
  },
  {
    name: "DataStore: neither endpoints nor dedicated",
    manifest: { ...etcd, spec: { driver: "etcd" } },
    expect: "spec.endpoints: Required value: must be set unless dedicated is set",
  },
  {
    name: "DataStore: dedicated etcd of two members",
    manifest: { ...etcd, spec: { driver: "etcd", dedicated: { members: 2 } } },
    expect: "spec.dedicated.members: Invalid value: 2: must be 1 or 3; two members cannot tolerate the loss of one",
  },
  {
    name: "DataStore: empty list of endpoints",
    manifest: changeSpec(etcd, "endpoints", []),
    expect: "spec.endpoints in body should have at least 1 items",
  },
  {
    name: "DataStore: endpoint with a scheme",
    manifest: changeSpec(etcd, "endpoints", ["https://etcd-0:2379"]),
    expect: 'spec.endpoints[0]: Invalid value: "https://etcd-0:2379": must be host:port without a scheme',
  },
  {
    name: "DataStore: endpoint without a port",
    manifest: changeSpec(etcd, "endpoints", ["etcd-0"]),
    expect: 'spec.endpoints[0]: Invalid value: "etcd-0": must be host:port without a scheme',
  },
  {
    name: "DataStore: etcd without the key of its authority",
    manifest: changeSpec(etcd, "tlsConfig.certificateAuthority.privateKey", undefined),
    expect: "spec.tlsConfig.certificateAuthority.privateKey: Required value: must be set when driver is etcd",
  },
  {
    name: "DataStore: etcd without a client certificate",
    manifest: changeSpec(etcd, "tlsConfig.clientCertificate", undefined),
    expect: "spec.tlsConfig.clientCertificate: Required value: must be set when driver is etcd",
  },
  {
    name: "DataStore: client certificate without its key",
    manifest: changeSpec(etcd, "tlsConfig.clientCertificate.privateKey", undefined),
    expect: "spec.tlsConfig.clientCertificate.privateKey: Required value",
  },
  {
    name: "DataStore: TLS without an authority",
    manifest: changeSpec(etcd, "tlsConfig.certificateAuthority", undefined),
    expect: "spec.tlsConfig.certificateAuthority: Required value",
  },
  {
    name: "DataStore: PostgreSQL without any credential",
    manifest: changeSpec(postgres, "basicAuth", undefined),
    expect: "spec: Invalid value: tlsConfig or basicAuth is required when driver is not etcd",
  },
  {
    name: "DataStore: user without a password",
    manifest: changeSpec(postgres, "basicAuth.password", undefined),
    expect: "spec.basicAuth.password: Required value",
  },
  {
    name: "DataStore: user from nowhere",
    manifest: changeSpec(postgres, "basicAuth.username", {}),
    expect: "spec.basicAuth.username: Invalid value: content or secretReference must be set",
  },
  {
    name: "DataStore: content that is not base64",
    manifest: changeSpec(postgres, "basicAuth.password.content", "secret!"),
    expect: 'spec.basicAuth.password.content in body must be of type byte: "secret!"',
  },
  {
    name: "DataStore: Secret without a key",
    manifest: changeSpec(etcd, "tlsConfig.clientCertificate.certificate.secretReference.keyPath", ""),
    expect:
      "spec.tlsConfig.clientCertificate.certificate.secretReference.keyPath in body should be at least 1 chars long",
  },
  {
    name: "DataStore: unknown field",
    manifest: changeSpec(etcd, "tlsConfig.insecureSkipVerify", true),
    expect: 'unknown field "spec.tlsConfig.insecureSkipVerify"',
  },
  {
    name: "KubeconfigGenerator: no user",
    manifest: changeSpec(generator, "user", undefined),
    expect: "spec.user: Required value",
  },
  {
    name: "KubeconfigGenerator: user with two sources",
    manifest: changeSpec(generator, "user.fromDefinition", "metadata.name"),
    expect: `spec.user: Invalid value: ${oneValue}`,
  },
  {
    name: "KubeconfigGenerator: group without a source",
    manifest: changeSpec(generator, "groups", [{ stringValue: "auditors" }, {}]),
    expect: `spec.groups[1]: Invalid value: ${oneValue}`,
  },
  {
    name: "KubeconfigGenerator: selector operator that does not exist",
    manifest: changeSpec(generator, "namespaceSelector", { matchExpressions: [{ key: "tier", operator: "Equals" }] }),
    expect:
      'spec.namespaceSelector.matchExpressions[0].operator: Unsupported value: "Equals": supported values: "In", "NotIn"',
  },
  {
    name: "KubeconfigGenerator: unknown field",
    manifest: changeSpec(generator, "username", "auditor"),
    expect: 'unknown field "spec.username"',
  },
];
