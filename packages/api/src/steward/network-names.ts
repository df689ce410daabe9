import { formattedText, immutable, int32, withRules } from "@butler/resource";
import { z } from "zod";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dnsName = String.raw`${label}(\.${label})*`;

/** The number of a TCP or UDP port. */
export const port = (): z.ZodInt => int32().min(1).max(65535);

/** A DNS name. */
export const hostname = (): z.ZodString =>
  formattedText({
    pattern: `^${dnsName}$`,
    message: "must be a lowercase DNS name without a port, such as blue.k8s.example.com",
    maxLength: 253,
  });

/** A DNS name, optionally with a port. */
export const hostnameWithPort = (): z.ZodString =>
  formattedText({
    pattern: `^${dnsName}(:[0-9]{1,5})?$`,
    message: "must be a lowercase DNS name such as blue.k8s.example.com, optionally with :port",
    maxLength: 259,
  });

/** The DNS domain of a cluster. */
export const clusterDomain = (): z.ZodString =>
  formattedText({
    pattern: String.raw`^${label}(\.${label})+$`,
    message: "must be a DNS name with at least one dot, such as cluster.local",
    maxLength: 253,
  });

/** The advertised address of a control plane, or an empty string. */
export const announcedAddress = (): z.ZodString =>
  withRules(z.string().max(253), {
    rule: `self == '' || isIP(self) || self.matches('^${dnsName.replaceAll("\\", "\\\\")}$')`,
    message: "must be an IP address such as 10.40.1.100 or a DNS name, without a port",
  });

const subjectAlternativeName = () =>
  withRules(z.string().min(1).max(253), {
    rule: String.raw`isIP(self) || self.matches('^(\\*\\.)?${dnsName.replaceAll("\\", "\\\\")}$')`,
    message: "must be an IP address or a DNS name such as api.example.com or *.example.com, without a port",
  });

/** A `certSANs` field: additional names of a serving certificate. */
export const certSANs = (of: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z
    .array(subjectAlternativeName())
    .max(64)
    .optional()
    .describe(`Additional IP addresses and DNS names for ${of}'s serving certificate.`);

/** A `loadBalancerClass` field. */
export const loadBalancerClass = (): z.ZodOptional<z.ZodString> =>
  immutable(z.string().min(1).max(256), "loadBalancerClass")
    .optional()
    .describe(
      "Class of the load balancer implementation for the Service. Can only be set if the type is LoadBalancer.",
    );
