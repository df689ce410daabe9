import { memberRoleOf } from "@butler/access";
import type { Team } from "@butler/api";
import type { StoreEvent } from "@butler/kube";
import type { SignedIn } from "../ports.ts";
import type { VisibleTeams } from "./view.ts";

/** Cached facts about one user. */
interface Known {
  readonly caller: SignedIn;
  readonly teams: ReadonlySet<string>;
}

/** More users than have sockets at once; beyond that, the cache is cleared. */
const mostKnown = 10_000;

/**
 * Which teams users can see, kept up to date with the Teams: a change of one Team costs one check per user, not a scan
 * of all Teams for each user.
 */
export class TeamVisibility {
  readonly #resolve: (caller: SignedIn) => VisibleTeams;
  readonly #known = new Map<string, Known>();

  constructor(resolve: (caller: SignedIn) => VisibleTeams) {
    this.#resolve = resolve;
  }

  of(caller: SignedIn): VisibleTeams {
    if (caller.platformRole !== undefined) return undefined;
    const id = JSON.stringify(caller.person);
    const known = this.#known.get(id);
    if (known !== undefined) return known.teams;
    const teams = this.#resolve(caller) ?? new Set<string>();
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(id, { caller, teams });
    return teams;
  }

  /** Applies a change of a Team; returns whether it may change a user's visibility. */
  take(event: StoreEvent<Team>): boolean {
    const { object } = event;
    // Members are in the spec; a status-only change does not affect access.
    const isSameSpec = event.type === "update" && event.previous.metadata.generation === object.metadata.generation;
    if (isSameSpec && object.metadata.generation !== undefined) return false;
    const { name } = object.metadata;
    for (const [id, { caller, teams }] of this.#known) {
      const isSeen = event.type !== "delete" && memberRoleOf(object, caller.person) !== undefined;
      if (isSeen === teams.has(name)) continue;
      const others = [...teams].filter((each) => each !== name);
      this.#known.set(id, { caller, teams: new Set(isSeen ? [...others, name] : others) });
    }
    return true;
  }
}
