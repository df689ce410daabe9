import { isAllowed, type Standing } from "../../session/standing.ts";
import { type Place, places } from "../places.ts";

/** The places that somebody has: those of the team they are in, and with a role on the platform its own. */
export function placesFor(standing: Standing, team: string | undefined): readonly Place[] {
  return places.filter(({ area, permission }) => {
    const isThere = area === "team" ? team !== undefined : standing.platformRole !== undefined;
    return isThere && (permission === undefined || isAllowed({ permission }, standing));
  });
}
