import { withRules } from "@butler/resource";
import { z } from "zod";

/** The ways in which API servers of tenant clusters are reached. */
export const exposureModes = ["LoadBalancer", "Ingress", "Gateway"] as const;

/** How API servers of tenant clusters are reached from outside the management cluster. */
export const exposure = withRules(
  z.object({
    mode: z
      .enum(exposureModes)
      .default("LoadBalancer")
      .describe(
        "LoadBalancer: every cluster has its own address. Ingress: clusters share one address and are " +
          "distinguished by server name (SNI, TLS passthrough). Gateway: like Ingress, but with Gateway API TLSRoutes.",
      ),
    hostname: z
      .string()
      .optional()
      .describe(
        "Wildcard domain such as `*.k8s.example.com`. A cluster's hostname consists of its name, its namespace " +
          "and the part after `*.`, joined by dots. Required if mode is Ingress or Gateway, ignored if mode is " +
          "LoadBalancer.",
      ),
    ingressClassName: z
      .string()
      .optional()
      .describe("Class of the Ingress objects. Defaults to the default IngressClass. Used only if mode is Ingress."),
    controllerType: z
      .enum(["haproxy", "nginx", "traefik", "generic"])
      .optional()
      .describe(
        "Implementation of the Ingress class. For haproxy and nginx, the TLS passthrough annotation is set. For " +
          "traefik, an IngressRouteTCP is created instead of the Ingress. For generic, nothing is added. Used only " +
          "if mode is Ingress.",
      ),
    gatewayRef: z
      .string()
      .optional()
      .describe("Gateway as `namespace/name`. Required if mode is Gateway, otherwise ignored."),
  }),
  {
    rule: "self.mode == 'LoadBalancer' || (has(self.hostname) && self.hostname != '')",
    message: "must be set to a wildcard domain such as *.k8s.example.com when mode is Ingress or Gateway",
    reason: "FieldValueRequired",
    fieldPath: ".hostname",
  },
  {
    rule: "self.mode != 'Gateway' || (has(self.gatewayRef) && self.gatewayRef != '')",
    message: "must be set to the namespace/name of the Gateway when mode is Gateway",
    reason: "FieldValueRequired",
    fieldPath: ".gatewayRef",
  },
);
