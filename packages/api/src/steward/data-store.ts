import {
  conditions,
  defineResource,
  formattedText,
  immutable,
  observedGeneration,
  type ObjectOf,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { dedicatedStore } from "./data-store-dedicated.ts";
import { stewardGroup } from "./group.ts";

const contentRef = withRules(
  z.object({
    content: z
      .string()
      .meta({ format: "byte" })
      .optional()
      .describe("Base64-encoded content. Takes precedence over secretReference."),
    secretReference: z
      .object({
        name: z.string().min(1).describe("Name of the Secret."),
        namespace: z.string().min(1).describe("Namespace of the Secret."),
        keyPath: z.string().min(1).describe("Key in the Secret."),
      })
      .optional()
      .describe("Secret key that contains the content."),
  }),
  { rule: "has(self.content) || has(self.secretReference)", message: "content or secretReference must be set" },
);

const tlsConfig = z.object({
  certificateAuthority: z
    .object({
      certificate: contentRef.describe("CA certificate, in PEM format."),
      privateKey: contentRef
        .optional()
        .describe("CA private key, in PEM format. Required for etcd to issue a client certificate for each tenant."),
    })
    .describe("CA that issued the store's certificate."),
  clientCertificate: z
    .object({
      certificate: contentRef.describe("Client certificate, in PEM format."),
      privateKey: contentRef.describe("Private key of the client certificate, in PEM format."),
    })
    .optional()
    .describe("Client certificate that Steward uses to administer the store. Required for etcd."),
});

const endpoint = formattedText({
  pattern: String.raw`^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?):[0-9]{1,5}$`,
  message: "must be host:port without a scheme, such as etcd-0.etcd.svc:2379",
  maxLength: 272,
});

/** A data store for control planes. */
export const DataStore = defineResource({
  ...stewardGroup,
  kind: "DataStore",
  scope: "Cluster",
  doc: "DataStore is a store for control plane state, either shared by many control planes or dedicated to each one.",
  spec: withRules(
    z.object({
      driver: immutable(z.enum(["etcd", "MySQL", "PostgreSQL", "NATS"]), "driver").describe(
        "Type of the store. Immutable.",
      ),
      endpoints: z
        .array(endpoint)
        .min(1)
        .max(64)
        .optional()
        .describe("Endpoints of the store's members, as host:port. Must be unset if dedicated is set."),
      basicAuth: z
        .object({
          username: contentRef.describe("Username."),
          password: contentRef.describe("Password."),
        })
        .optional()
        .describe("Username and password that Steward uses to administer the store."),
      tlsConfig: tlsConfig.optional().describe("TLS configuration for the connection to the store."),
      dedicated: dedicatedStore
        .optional()
        .describe(
          "Runs a dedicated etcd for each control plane that references this DataStore. Cannot be combined with " +
            "endpoints, basicAuth or tlsConfig.",
        ),
    }),
    {
      rule: "has(self.dedicated) || has(self.endpoints)",
      message: "must be set unless dedicated is set",
      fieldPath: ".endpoints",
      reason: "FieldValueRequired",
    },
    {
      rule: "!has(self.dedicated) || !(has(self.endpoints) || has(self.basicAuth) || has(self.tlsConfig))",
      message:
        "dedicated cannot be combined with endpoints, basicAuth or tlsConfig: Steward creates them for each control plane",
    },
    {
      rule: "!has(self.dedicated) || self.driver == 'etcd'",
      message: "may only be set when driver is etcd",
      fieldPath: ".dedicated",
      reason: "FieldValueForbidden",
    },
    {
      rule: "has(self.dedicated) == has(oldSelf.dedicated)",
      message: "cannot be added or removed: the data of existing control planes would be orphaned",
      fieldPath: ".dedicated",
      reason: "FieldValueForbidden",
    },
    {
      rule: "self.driver != 'etcd' || has(self.dedicated) || (has(self.tlsConfig) && has(self.tlsConfig.certificateAuthority.privateKey))",
      message: "must be set when driver is etcd, to sign a client certificate for each tenant",
      fieldPath: ".tlsConfig.certificateAuthority.privateKey",
      reason: "FieldValueRequired",
    },
    {
      rule: "self.driver != 'etcd' || has(self.dedicated) || (has(self.tlsConfig) && has(self.tlsConfig.clientCertificate))",
      message: "must be set when driver is etcd",
      fieldPath: ".tlsConfig.clientCertificate",
      reason: "FieldValueRequired",
    },
    {
      rule: "self.driver == 'etcd' || has(self.tlsConfig) || has(self.basicAuth)",
      message: "tlsConfig or basicAuth is required when driver is not etcd",
    },
  ),
  status: z.object({
    conditions: conditions("Ready", "Reachable", "AuthenticationEnabled", "SpaceAvailable"),
    observedGeneration: observedGeneration(),
    usedBy: z.array(z.string()).optional().describe("Control planes that use this DataStore, as namespace/name."),
    version: z.string().optional().describe("Version of the store. If members run different versions, the oldest one."),
    databaseSize: z.string().optional().describe("Approximate database size of the largest member, such as 160Mi."),
    quota: z.string().optional().describe("Maximum database size of a member, such as 8Gi."),
  }),
  columns: {
    Driver: ".spec.driver",
    Ready: ".status.conditions[?(@.type=='Ready')].status",
    Version: ".status.version",
    Size: ".status.databaseSize",
  },
  example: {
    metadata: { name: "default" },
    spec: {
      driver: "etcd",
      endpoints: ["etcd-0.etcd.steward-system.svc:2379", "etcd-1.etcd.steward-system.svc:2379"],
      tlsConfig: {
        certificateAuthority: {
          certificate: { secretReference: { name: "etcd-certs", namespace: "steward-system", keyPath: "ca.crt" } },
          privateKey: { secretReference: { name: "etcd-certs", namespace: "steward-system", keyPath: "ca.key" } },
        },
        clientCertificate: {
          certificate: { secretReference: { name: "etcd-root", namespace: "steward-system", keyPath: "tls.crt" } },
          privateKey: { secretReference: { name: "etcd-root", namespace: "steward-system", keyPath: "tls.key" } },
        },
      },
    },
  },
});
export type DataStore = ObjectOf<typeof DataStore>;
