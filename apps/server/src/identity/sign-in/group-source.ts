import { acceptedGroups } from "@butler/access";
import { type IdentityProvider, User } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { type Clock, NotFound, Unavailable } from "@butler/std";
import type { ServerState } from "../../state/state.ts";
import { changeStatus, momentText } from "../people/accounts.ts";
import { googleGroupsOf } from "./google-groups.ts";
import type { ReadyProvider } from "./providers.ts";

const attempts = 4;

/** Asks identity providers for the groups of an account without the user. */
export interface GroupSource {
  /** Whether the provider of an account can be asked. */
  canAsk(user: User): boolean;
  /** The account with its current groups; undefined if the provider no longer has the user. */
  ask(user: User, signal: AbortSignal): Promise<User | undefined>;
}

/** Dependencies of the group source. */
export interface GroupSourceParts {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly clock: Clock;
  readonly providers: {
    ready(provider: IdentityProvider, signal: AbortSignal): Promise<Pick<ReadyProvider, "fetch">>;
  };
  readonly directoryUrl?: string | undefined;
}

/**
 * The groups of accounts whose provider has a directory that Butler can read at any time. Other providers report groups
 * only while the user signs in.
 */
export function directoryGroups(parts: GroupSourceParts): GroupSource {
  const { client, clock, state, providers, directoryUrl } = parts;
  const providerOf = ({ spec }: User): IdentityProvider | undefined =>
    spec.authType === "sso" ? state.identityProviders.get({ name: spec.ssoProvider ?? "" }) : undefined;
  return {
    canAsk: (user) => providerOf(user)?.spec.oidc?.googleWorkspace !== undefined,
    ask: async (user, signal) => {
      const provider = providerOf(user);
      const settings = provider?.spec.oidc;
      if (provider === undefined || settings?.googleWorkspace === undefined) return user;
      const { fetch } = await providers.ready(provider, signal);
      try {
        const google = { client, clock, directoryUrl, fetch };
        const found = await googleGroupsOf(google, settings.googleWorkspace, user.spec.email);
        return await store(parts, user, { groups: acceptedGroups(found, settings.domains), signal });
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        throw error;
      }
    },
  };
}

async function store(
  parts: Pick<GroupSourceParts, "client" | "state" | "clock">,
  user: User,
  { groups, signal }: { readonly groups: readonly string[]; readonly signal: AbortSignal },
): Promise<User | undefined> {
  const status = { lastSeenGroups: groups, groupsResolvedAt: momentText(parts.clock.now().getTime()) };
  let current: User | undefined = user;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const changed: User | undefined = await changeStatus(parts, current, { status, signal });
    if (changed !== undefined) return changed;
    current = await parts.client.find(User, { name: user.metadata.name }, signal);
    if (current === undefined || current.metadata.uid !== user.metadata.uid) return undefined;
  }
  throw new Unavailable("another request is changing the account", { hint: "Retry." });
}
