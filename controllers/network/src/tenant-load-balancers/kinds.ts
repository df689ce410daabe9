import { builtinKinds, type Kind, type KubeObject } from "@butler/resource";

/** Kubernetes' own Services, in tenants. */
export const { Service } = builtinKinds;

/** A Service, as far as handing out addresses needs it. */
export interface Service extends KubeObject {
  spec: {
    type?: string | undefined;
    loadBalancerClass?: string | undefined;
    loadBalancerIP?: string | undefined;
    ipFamilies?: readonly string[] | undefined;
  };
  status?:
    | {
        loadBalancer?:
          { ingress?: readonly { ip?: string | undefined; hostname?: string | undefined }[] | undefined } | undefined;
      }
    | undefined;
}

const metalLb = { group: "metallb.io", version: "v1beta1", scope: "Namespaced" } as const;

/** The addresses that MetalLB hands out in a tenant. */
export const IPAddressPool = { ...metalLb, kind: "IPAddressPool", plural: "ipaddresspools" } as const satisfies Kind;

/** An IPAddressPool, as far as Butler states it. */
export interface IPAddressPool extends KubeObject {
  spec: { addresses: readonly string[] };
}

/** How MetalLB tells the network of a tenant's machines where the addresses are. */
export const L2Advertisement = {
  ...metalLb,
  kind: "L2Advertisement",
  plural: "l2advertisements",
} as const satisfies Kind;

/** An L2Advertisement, as far as Butler states it. */
export interface L2Advertisement extends KubeObject {
  spec?: { ipAddressPools?: readonly string[] | undefined } | undefined;
}
