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
      .describe("The content itself, in base64; wins over secretReference."),
    secretReference: z
      .object({
        name: z.string().min(1).describe("Name of the Secret."),
        namespace: z.string().min(1).describe("Namespace of the Secret."),
        keyPath: z.string().min(1).describe("Key of the Secret."),
      })
      .optional()
      .describe("A key of a Secret that holds the content."),
  }),
  { rule: "has(self.content) || has(self.secretReference)", message: "content or secretReference is required" },
);

const tlsConfig = z.object({
  certificateAuthority: z
    .object({
      certificate: contentRef.describe("Certificate of the authority, in PEM."),
      privateKey: contentRef
        .optional()
        .describe("Key of the authority, in PEM; needed for etcd, whose tenants each get a client certificate."),
    })
    .describe("Authority that the store's certificate comes from."),
  clientCertificate: z
    .object({
      certificate: contentRef.describe("Client certificate, in PEM."),
      privateKey: contentRef.describe("Key of the client certificate, in PEM."),
    })
    .optional()
    .describe("Client certificate with which Steward administers the store; needed for etcd."),
});

const endpoint = formattedText({
  pattern: String.raw`^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?):[0-9]{1,5}$`,
  message: "must be host:port without a scheme, such as etcd-0.etcd.svc:2379",
  maxLength: 272,
});

/** A store for the state of control planes. */
export const DataStore = defineResource({
  ...stewardGroup,
  kind: "DataStore",
  scope: "Cluster",
  doc: "DataStore is where control planes keep their state: a store that many share, or one that each gets for itself.",
  spec: withRules(
    z.object({
      driver: immutable(z.enum(["etcd", "MySQL", "PostgreSQL", "NATS"]), "driver").describe("Kind of store."),
      endpoints: z
        .array(endpoint)
        .min(1)
        .max(64)
        .optional()
        .describe("Addresses of the store's members, as host:port; left out with dedicated."),
      basicAuth: z
        .object({
          username: contentRef.describe("Name of the user."),
          password: contentRef.describe("Password of the user."),
        })
        .optional()
        .describe("Name and password with which Steward administers the store."),
      tlsConfig: tlsConfig.optional().describe("Certificates for the connection to the store."),
      dedicated: dedicatedStore
        .optional()
        .describe(
          "Makes Steward run an etcd for each control plane that names this DataStore, beside it and for it alone. " +
            "Excludes endpoints, basicAuth and tlsConfig.",
        ),
    }),
    {
      rule: "has(self.dedicated) || has(self.endpoints)",
      message: "needed unless dedicated is set",
      fieldPath: ".endpoints",
      reason: "FieldValueRequired",
    },
    {
      rule: "!has(self.dedicated) || !(has(self.endpoints) || has(self.basicAuth) || has(self.tlsConfig))",
      message: "dedicated excludes endpoints, basicAuth and tlsConfig: Steward makes them for each control plane",
    },
    {
      rule: "!has(self.dedicated) || self.driver == 'etcd'",
      message: "may only be set when driver is etcd",
      fieldPath: ".dedicated",
      reason: "FieldValueForbidden",
    },
    {
      rule: "has(self.dedicated) == has(oldSelf.dedicated)",
      message: "may not be added or removed: the data of control planes that exist would be left behind",
      fieldPath: ".dedicated",
      reason: "FieldValueForbidden",
    },
    {
      rule: "self.driver != 'etcd' || has(self.dedicated) || (has(self.tlsConfig) && has(self.tlsConfig.certificateAuthority.privateKey))",
      message: "needed when driver is etcd, to sign a client certificate for each tenant",
      fieldPath: ".tlsConfig.certificateAuthority.privateKey",
      reason: "FieldValueRequired",
    },
    {
      rule: "self.driver != 'etcd' || has(self.dedicated) || (has(self.tlsConfig) && has(self.tlsConfig.clientCertificate))",
      message: "needed when driver is etcd",
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
    usedBy: z.array(z.string()).optional().describe("Control planes that keep their state here, as namespace/name."),
    version: z.string().optional().describe("Version of the store; that of its oldest member."),
    databaseSize: z
      .string()
      .optional()
      .describe("About how much room the largest member's database takes up, such as 160Mi."),
    quota: z.string().optional().describe("How large a member's database may become, such as 8Gi."),
  }),
  columns: [
    { name: "Driver", type: "string", jsonPath: ".spec.driver" },
    { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: "Version", type: "string", jsonPath: ".status.version" },
    { name: "Size", type: "string", jsonPath: ".status.databaseSize" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "steward.butlerlabs.dev/v1alpha1",
    kind: "DataStore",
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
