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
        "LoadBalancer gives every cluster an address of its own. Ingress shares one address and tells clusters apart " +
          "by server name (TLS passthrough). Gateway does the same with TLSRoutes of the Gateway API.",
      ),
    hostname: z
      .string()
      .optional()
      .describe(
        "Wildcard domain such as `*.k8s.example.com`. A cluster is reached at its name, its namespace and what follows " +
          "`*.`, joined by dots. Required by the modes Ingress and Gateway, not read by LoadBalancer.",
      ),
    ingressClassName: z
      .string()
      .optional()
      .describe("Class of the Ingress objects; when empty, the default class. Read by the mode Ingress only."),
    controllerType: z
      .enum(["haproxy", "nginx", "traefik", "generic"])
      .optional()
      .describe(
        "Product behind the Ingress class. haproxy and nginx get their annotation for TLS passthrough, traefik gets an " +
          "IngressRouteTCP in place of the Ingress, generic gets nothing extra. Read by the mode Ingress only.",
      ),
    gatewayRef: z
      .string()
      .optional()
      .describe("Gateway as `namespace/name`. Required by the mode Gateway, not read by the others."),
  }),
  {
    rule: "self.mode == 'LoadBalancer' || (has(self.hostname) && self.hostname != '')",
    message: "must be set when mode is Ingress or Gateway, such as *.k8s.example.com",
    reason: "FieldValueRequired",
    fieldPath: ".hostname",
  },
  {
    rule: "self.mode != 'Gateway' || (has(self.gatewayRef) && self.gatewayRef != '')",
    message: "must be set when mode is Gateway, to the namespace/name of the Gateway",
    reason: "FieldValueRequired",
    fieldPath: ".gatewayRef",
  },
);
