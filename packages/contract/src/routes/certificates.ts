import { z } from "zod";
import { moment } from "../names.ts";
import { onCluster } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { clusterParams } from "./clusters.ts";

const kind = "Certificate";
const all = "/api/clusters/{namespace}/{name}/certificates";
const health = z.enum(["Healthy", "Warning", "Critical", "Expired"]);

/** A certificate of a control plane; never its key. */
export const certificateView = z
  .object({
    subject: z.string().describe("Subject common name."),
    notBefore: moment("Start of validity"),
    notAfter: moment("Expiration time"),
    daysUntilExpiry: z.int().describe("Full days until expiration. Negative if expired."),
    healthStatus: health.describe(
      "Expired, Critical (less than 7 days left), Warning (less than 30 days left), otherwise Healthy.",
    ),
    secretName: z.string().describe("Name of the Secret."),
    secretKey: z.string().describe("Key in the Secret."),
    category: z.string().describe("Control plane component that uses the certificate."),
    isCA: z.boolean().describe("Whether this is a CA certificate."),
    dnsNames: z.array(z.string()).describe("DNS names that the certificate is valid for."),
    ipAddresses: z.array(z.string()).describe("IP addresses that the certificate is valid for."),
    fingerprint: z.string().describe("SHA-256 fingerprint."),
  })
  .meta({
    id: "Certificate",
    examples: [
      {
        subject: "kube-apiserver",
        notBefore: "2026-06-01T12:00:00Z",
        notAfter: "2027-06-01T12:00:00Z",
        daysUntilExpiry: 200,
        healthStatus: "Healthy",
        secretName: "shop-api-server-certificate",
        secretKey: "tls.crt",
        category: "api-server-certificate",
        isCA: false,
        dnsNames: ["kubernetes"],
        ipAddresses: ["10.96.0.1"],
        fingerprint: "AB:CD",
      },
    ],
  });

export const listCertificates = defineRoute({
  id: "certificates.list",
  method: "GET",
  path: all,
  summary: "List the certificates of a cluster's control plane",
  permission: onCluster("viewer"),
  params: clusterParams,
  responses: {
    200: z.object({
      clusterName: z.string().describe("Name of the cluster."),
      namespace: z.string().describe("Namespace of the cluster."),
      certificates: z.array(certificateView).describe("Certificates, earliest expiration first."),
      certificateCount: z.int().describe("Number of certificates."),
      overallHealth: health.describe("Worst health status of all certificates."),
      earliestExpiry: moment("Earliest expiration time").optional(),
      rotationInProgress: z.boolean().describe("Whether a rotation is in progress."),
    }),
  },
  audit: "none",
});

export const rotateCertificates = defineRoute({
  id: "certificates.rotate",
  method: "POST",
  path: `${all}/rotate`,
  summary: "Rotate the certificates of a cluster's control plane",
  description: "Returns immediately; poll `rotationInProgress` in the list. To rotate the CA, set `acknowledge`.",
  permission: onCluster("operator"),
  params: clusterParams,
  body: z
    .strictObject({
      type: z
        .enum(["all", "kubeconfigs", "ca"])
        .describe(
          "`kubeconfigs`: only kubeconfigs. `all`: everything except the CA. `ca`: everything including the CA.",
        ),
      acknowledge: z.boolean().optional().describe("Required for `ca`, which invalidates all issued kubeconfigs."),
    })
    .meta({ id: "CertificateRotation", examples: [{ type: "kubeconfigs" }] }),
  responses: {
    202: z.object({
      type: z.string().describe("Rotation type."),
      affectedSecrets: z.array(z.string()).describe("Secrets whose content is regenerated."),
      message: z.string().describe("Human-readable status."),
    }),
  },
  audit: { action: "rotate", kind },
});

/** All routes for certificates. */
export const certificateRoutes = [listCertificates, rotateCertificates] as const;
