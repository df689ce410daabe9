import { Team, User } from "@butler/api";
import { defineController, via } from "@butler/controller";
import { byMember, identitiesOf, membersOf, observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";

/** Maintains the list of a user's teams, and reports whether the user can sign in. */
export const userController = defineController<typeof User, Observed>({
  name: "user",
  primary: User,
  watches: [
    // A change of a team affects the users that it lists or listed, and no others.
    via(Team, (team, read) =>
      membersOf(team).flatMap((identity) =>
        read.byIndex(User, byMember, identity).map(({ metadata }) => ({ name: metadata.name })),
      ),
    ),
  ],
  indexes: [
    { kind: User, name: byMember, of: identitiesOf },
    { kind: Team, name: byMember, of: membersOf },
  ],
  observe,
  plan,
  perform: {},
});
