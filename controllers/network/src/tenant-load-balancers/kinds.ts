import { builtinKinds, type Kind, type KubeObject } from "@butler/resource";

/** Services in tenant clusters. */
export const { Service } = builtinKinds;

/** The fields of a Service that address assignment requires. */
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

/** The addresses that MetalLB assigns in a tenant. */
export const IPAddressPool = { ...metalLb, kind: "IPAddressPool", plural: "ipaddresspools" } as const satisfies Kind;

/** The fields of an IPAddressPool that Butler writes. */
export interface IPAddressPool extends KubeObject {
  spec: { addresses: readonly string[] };
}

/** How MetalLB announces the addresses in the network of a tenant's machines. */
export const L2Advertisement = {
  ...metalLb,
  kind: "L2Advertisement",
  plural: "l2advertisements",
} as const satisfies Kind;

/** The fields of an L2Advertisement that Butler writes. */
export interface L2Advertisement extends KubeObject {
  spec?: { ipAddressPools?: readonly string[] | undefined } | undefined;
}
