import { buildIdentityProvider, clientSecretOf, clientSecretPlace, presets } from "@butler/administration";
import { askIssuer, type IssuerTest, issuerTest } from "@butler/administration/issuers";
import { IdentityProvider } from "@butler/api";
import {
  createIdentityProvider,
  deleteIdentityProvider,
  getIdentityProvider,
  listIdentityProviders,
  listPresets,
  testIdentityProvider,
  updateIdentityProvider,
  validateIdentityProvider,
} from "@butler/contract";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, keyOf } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { type Handler, handle } from "../http/handler.ts";
import { type ListShape, pageOf } from "../http/listing.ts";
import { RouteProblem } from "../http/problem.ts";
import { byObject, objectView, searchText } from "../views/object-view.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject, createObject } from "./writing.ts";

const list: ListShape<IdentityProvider> = {
  id: byObject.id,
  sortBy: { name: byObject.name, created: byObject.created },
  text: (provider) => searchText(provider, provider.spec.displayName, provider.spec.oidc?.issuerURL),
};

/** Handlers for identity providers. */
export function identityProviderHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  return [
    handle(listIdentityProviders, ({ query }) => {
      const { items, ...rest } = pageOf(state.identityProviders.list(), query, list);
      return { identityProviders: items.map(objectView), ...rest };
    }),
    handle(listPresets, () => ({ presets: [...presets], total: presets.length })),
    handle(getIdentityProvider, ({ params }) => objectView(find(context, params.name))),
    handle(testIdentityProvider, ({ body, signal }) => testIssuer(body, signal)),
    handle(validateIdentityProvider, ({ params, signal }) =>
      testIssuer({ issuerURL: "", ...find(context, params.name).spec.oidc }, signal),
    ),
    ...writeHandlers(context),
  ];
}

function writeHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  return [
    handle(createIdentityProvider, async ({ body, asPerson, signal, note }) => {
      const { name, displayName, platformRoleGroups, clientSecret, ...oidc } = body;
      note({ name });
      if (state.identityProviders.get({ name }) !== undefined) {
        throw new RouteProblem("ALREADY_EXISTS", `identity provider ${name} already exists`);
      }
      await storeSecret(asPerson, { name, clientSecret, signal });
      try {
        const provider = buildIdentityProvider({ name, displayName, platformRoleGroups, oidc });
        return objectView(await createObject({ client: asPerson, state, signal }, IdentityProvider, provider));
      } catch (error) {
        // Do not leave an unreferenced Secret behind.
        await dropSecret(asPerson, name, signal);
        throw error;
      }
    }),
    handle(updateIdentityProvider, async ({ params, body, asPerson, signal }) => {
      const provider = find(context, params.name);
      const { displayName, platformRoleGroups, clientSecret, resourceVersion, ...oidc } = body;
      const wanted = { displayName, platformRoleGroups, ...(Object.keys(oidc).length === 0 ? {} : { oidc }) };
      const spec = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const change = { key: keyOf(provider), patch: { spec }, resourceVersion };
      const changed = await changeObject({ client: asPerson, state, signal }, IdentityProvider, change);
      if (clientSecret !== undefined) await storeSecret(asPerson, { name: params.name, clientSecret, signal });
      return objectView(changed);
    }),
    handle(deleteIdentityProvider, async ({ params, asPerson, signal }) => {
      const provider = find(context, params.name);
      await asPerson.delete(IdentityProvider, keyOf(provider), { uid: provider.metadata.uid, signal });
      await dropSecret(asPerson, params.name, signal);
      return { message: `${params.name} is being deleted; sign-in through it is disabled` };
    }),
  ];
}

function find({ state }: HandlerContext, name: string): IdentityProvider {
  const provider = state.identityProviders.get({ name });
  if (provider === undefined) throw new RouteProblem("NOT_FOUND", `identity provider ${name} not found`);
  return provider;
}

interface StoredSecret {
  readonly name: string;
  readonly clientSecret: string;
  readonly signal: AbortSignal;
}

async function storeSecret(client: ApiClient, { name, clientSecret, signal }: StoredSecret): Promise<void> {
  const secret = clientSecretOf(name, clientSecret);
  await client.apply(builtinKinds.Secret, secret, { fieldManager: "butler-server", signal });
}

async function dropSecret(client: ApiClient, name: string, signal: AbortSignal): Promise<void> {
  await client.delete(builtinKinds.Secret, clientSecretPlace(name), { signal }).catch(ignoreNotFound);
}

interface AskedIssuer {
  readonly issuerURL: string;
  readonly certificateAuthority?: string | undefined;
}

async function testIssuer({ issuerURL, certificateAuthority }: AskedIssuer, signal: AbortSignal): Promise<IssuerTest> {
  return issuerTest(await askIssuer(issuerURL, { authorities: certificateAuthority || undefined, signal }));
}
