import { isAllowed, type UserRoles } from "../../session/user-roles.ts";
import { type Place, places } from "../places.ts";

/** The places visible to a user: those of the current team, and those of the platform with a platform role. */
export function placesFor(roles: UserRoles, team: string | undefined): readonly Place[] {
  return places.filter(({ area, permission }) => {
    const isThere = area === "team" ? team !== undefined : roles.platformRole !== undefined;
    return isThere && (permission === undefined || isAllowed({ permission }, roles));
  });
}
