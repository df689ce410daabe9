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
    subject: z.string().describe("Whom it is about."),
    notBefore: moment("From when it is valid"),
    notAfter: moment("Until when it is valid"),
    daysUntilExpiry: z.int().describe("Whole days left; below 0 when it is over."),
    healthStatus: health.describe("Expired, Critical below 7 days, Warning below 30 days, else Healthy."),
    secretName: z.string().describe("Secret that holds it."),
    secretKey: z.string().describe("Entry of the Secret."),
    category: z.string().describe("Part of the control plane that it belongs to."),
    isCA: z.boolean().describe("Whether it is an authority's."),
    dnsNames: z.array(z.string()).describe("Host names it is valid for."),
    ipAddresses: z.array(z.string()).describe("Addresses it is valid for."),
    fingerprint: z.string().describe("SHA-256 of the certificate."),
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
      clusterName: z.string().describe("The cluster."),
      namespace: z.string().describe("Its namespace."),
      certificates: z.array(certificateView).describe("The certificates, those that end first in front."),
      certificateCount: z.int().describe("How many there are."),
      overallHealth: health.describe("The worst of them."),
      earliestExpiry: moment("When the first of them ends").optional(),
      rotationInProgress: z.boolean().describe("Whether some are being replaced."),
    }),
  },
  audit: "none",
});

export const rotateCertificates = defineRoute({
  id: "certificates.rotate",
  method: "POST",
  path: `${all}/rotate`,
  summary: "Replace certificates of a cluster's control plane",
  description:
    "The answer comes at once; the list tells when the rotation is over. For the authority, see `acknowledge`.",
  permission: onCluster("operator"),
  params: clusterParams,
  body: z
    .strictObject({
      type: z
        .enum(["all", "kubeconfigs", "ca"])
        .describe("`all`: everything but the authority. `ca`: the authority too."),
      acknowledge: z.boolean().optional().describe("Needed for `ca`, after which every kubeconfig handed out is void."),
    })
    .meta({ id: "CertificateRotation", examples: [{ type: "kubeconfigs" }] }),
  responses: {
    202: z.object({
      type: z.string().describe("What is replaced."),
      affectedSecrets: z.array(z.string()).describe("Secrets whose content is made anew."),
      message: z.string().describe("What happens now, as a sentence."),
    }),
  },
  audit: { action: "rotate", kind },
});

/** Every route about certificates. */
export const certificateRoutes = [listCertificates, rotateCertificates] as const;
