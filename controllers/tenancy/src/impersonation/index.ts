/** Whom Butler's server may act as towards Kubernetes: people with an account, the groups of teams, and nobody else. */
export { impersonationController, PeopleRoleKeeper } from "./keeper.ts";
