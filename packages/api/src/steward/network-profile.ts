import { cidr, immutable, ipAddress } from "@butler/resource";
import { z } from "zod";
import { announcedAddress, certSANs, clusterDomain, loadBalancerClass, port } from "./network-names.ts";

/** Addresses and ranges of a hosted control plane. */
export const networkProfile = z.object({
  address: announcedAddress()
    .optional()
    .describe("Address at which the control plane is announced; wins over every other source."),
  port: port()
    .default(6443)
    .describe("Port of the API server and of its Service; also the node port when the type is NodePort."),
  clusterDomain: immutable(clusterDomain(), "clusterDomain")
    .default("cluster.local")
    .describe("DNS domain of the tenant cluster."),
  serviceCidr: cidr("10.96.0.0/16")
    .default("10.96.0.0/16")
    .describe("Range of the tenant cluster's Services, of one address family."),
  podCidr: cidr("10.244.0.0/16")
    .default("10.244.0.0/16")
    .describe("Range of the tenant cluster's pods, of one address family."),
  dnsServiceIPs: z
    .array(ipAddress("10.96.0.10"))
    .max(16)
    .optional()
    .describe("Addresses of the DNS Service; when empty, the tenth of serviceCidr (0x10 in IPv6)."),
  certSANs: certSANs("the API server"),
  allowAddressAsExternalIP: z
    .boolean()
    .default(false)
    .describe("Whether address is put among the external IPs of a ClusterIP or NodePort Service."),
  loadBalancerSourceRanges: z
    .array(cidr("203.0.113.0/24"))
    .max(128)
    .optional()
    .describe("Client ranges that the load balancer lets through; only with the type LoadBalancer."),
  loadBalancerClass: loadBalancerClass(),
});
