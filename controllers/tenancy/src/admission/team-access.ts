import { isReservedGroup, isSameEmail } from "@butler/access";
import type { Team } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { deepEqual } from "@butler/std";

type Access = Team["spec"]["access"];

/**
 * Whom a team may list: no names that are reserved for Kubernetes or Butler, and in an environment only members of the
 * team. Validated when access or environments change.
 */
export function accessDenials({ spec }: Team, before: Team | undefined): Denial[] {
  const was = before?.spec;
  if (deepEqual(was?.access, spec.access) && deepEqual(was?.environments, spec.environments)) return [];
  const known = was === undefined ? [] : everyNameIn(was).map(({ name }) => name);
  return [
    ...everyNameIn(spec)
      .filter(({ name }) => isReservedGroup(name) && !known.includes(name))
      .flatMap(({ path, name }) =>
        denied("NOT_ALLOWED", path, `${name} is reserved for Kubernetes or Butler; use another name`),
      ),
    ...environmentDenials(spec),
  ];
}

function environmentDenials({ access, environments = [] }: Team["spec"]): Denial[] {
  const { users = [], groups = [] } = access;
  return environments.flatMap(({ access: inEnvironment }, at) =>
    namesIn(inEnvironment, `spec.environments[${at}].access`).flatMap(({ path, name, isGroup }) => {
      const isMember = isGroup
        ? groups.some((group) => group.name === name)
        : users.some((user) => isSameEmail(user.name, name));
      return isMember
        ? []
        : denied("NOT_ALLOWED", path, `${name} is not a member of the team; add it to spec.access first`);
    }),
  );
}

interface NamedSubject {
  readonly path: string;
  readonly name: string;
  readonly isGroup: boolean;
}

function everyNameIn({ access, environments = [] }: Team["spec"]): NamedSubject[] {
  return [
    ...namesIn(access, "spec.access"),
    ...environments.flatMap(({ access: inside }, at) => namesIn(inside, `spec.environments[${at}].access`)),
  ];
}

function namesIn(access: Access | undefined, path: string): NamedSubject[] {
  const { users = [], groups = [] } = access ?? {};
  return [
    ...users.map(({ name }, at) => ({ path: `${path}.users[${at}].name`, name, isGroup: false })),
    ...groups.map(({ name }, at) => ({ path: `${path}.groups[${at}].name`, name, isGroup: true })),
  ];
}
