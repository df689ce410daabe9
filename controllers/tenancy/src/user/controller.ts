import { Team, User } from "@butler/api";
import { defineController, via } from "@butler/controller";
import { byMember, identitiesOf, membersOf, observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";

/** Keeps the list of a person's teams, for people to read, and says whether they can sign in. */
export const userController = defineController<typeof User, Observed>({
  name: "user",
  primary: User,
  watches: [
    // A change of a team concerns those it names and those it named: nobody else is looked at.
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
