import { cidr, immutable, ipAddress } from "@butler/resource";
import { z } from "zod";
import { announcedAddress, certSANs, clusterDomain, loadBalancerClass, port } from "./network-names.ts";

/** Addresses and ranges of a hosted control plane. */
export const networkProfile = z.object({
  address: announcedAddress()
    .optional()
    .describe("Advertised address of the control plane. Takes precedence over all other sources."),
  port: port()
    .default(6443)
    .describe("Port of the API server and its Service. Also used as the node port if the Service type is NodePort."),
  clusterDomain: immutable(clusterDomain(), "clusterDomain")
    .default("cluster.local")
    .describe("DNS domain of the tenant cluster."),
  serviceCidr: cidr("10.96.0.0/16")
    .default("10.96.0.0/16")
    .describe("CIDR for Service IPs in the tenant cluster. Single-stack only."),
  podCidr: cidr("10.244.0.0/16")
    .default("10.244.0.0/16")
    .describe("CIDR for pod IPs in the tenant cluster. Single-stack only."),
  dnsServiceIPs: z
    .array(ipAddress("10.96.0.10"))
    .max(16)
    .optional()
    .describe("IP addresses of the DNS Service. Defaults to the tenth address of serviceCidr (0x10 in IPv6)."),
  certSANs: certSANs("the API server"),
  allowAddressAsExternalIP: z
    .boolean()
    .default(false)
    .describe("Whether to add the value of address to the external IPs of a ClusterIP or NodePort Service."),
  loadBalancerSourceRanges: z
    .array(cidr("203.0.113.0/24"))
    .max(128)
    .optional()
    .describe(
      "CIDRs that are allowed to connect to the load balancer. Can only be set if the Service type is LoadBalancer.",
    ),
  loadBalancerClass: loadBalancerClass(),
});
