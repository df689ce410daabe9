import { IdentityProvider, namespaces, secretKeys } from "@butler/api";
import { builtinKinds, type DynamicObject, type ObjectKey } from "@butler/resource";
import { newObject } from "./new-object.ts";

type Oidc = NonNullable<IdentityProvider["spec"]["oidc"]>;

/** A new identity provider, as an administrator describes it. */
export interface NewIdentityProvider {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly platformRoleGroups?: IdentityProvider["spec"]["platformRoleGroups"] | undefined;
  /** Its settings, except for the secret reference. */
  readonly oidc: { readonly [field in keyof Omit<Oidc, "clientSecretRef">]?: Oidc[field] | undefined };
}

/** The Secret reference of an identity provider's client secret. */
export function clientSecretPlace(name: string): ObjectKey & { readonly namespace: string } {
  return { name: `${name}-oidc-secret`, namespace: namespaces.system };
}

/** The Secret with the client secret of an identity provider. */
export function clientSecretOf(name: string, clientSecret: string): DynamicObject {
  const data = { [secretKeys.clientSecret]: Buffer.from(clientSecret).toString("base64") };
  return newObject(builtinKinds.Secret, clientSecretPlace(name), { type: "Opaque", data });
}

/** The object of a new identity provider, whose secret lies in a Secret of its own. */
export function buildIdentityProvider(wish: NewIdentityProvider): DynamicObject {
  const { name, displayName, platformRoleGroups, oidc } = wish;
  const settings = Object.fromEntries(Object.entries(oidc).filter(([, value]) => value !== undefined));
  const spec = {
    type: "oidc",
    ...(displayName === undefined ? {} : { displayName }),
    ...(platformRoleGroups === undefined ? {} : { platformRoleGroups }),
    oidc: { ...settings, clientSecretRef: clientSecretPlace(name) },
  };
  return newObject(IdentityProvider, { name }, { spec });
}
