import { Icon } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import type { UserRoles } from "../../session/user-roles.ts";
import { ContextBlock } from "./context-block.tsx";
import { placesFor } from "./places-for.ts";

/** Props of the rail. */
export interface RailProps {
  readonly team: string | undefined;
  readonly roles: UserRoles;
  /** Called on navigation: on narrow screens the rail closes. */
  readonly onGo: () => void;
}

const areaLabels = { team: "Team", platform: "Platform" } as const;

/** The left sidebar: context block and navigation. */
export function Rail({ team, roles, onGo }: RailProps) {
  const found = placesFor(roles, team);
  return (
    <div className="c-rail">
      <ContextBlock team={team} roles={roles} />
      <nav aria-label="Main">
        {(["team", "platform"] as const).map((area) => {
          const some = found.filter((place) => place.area === area);
          if (some.length === 0) return undefined;
          return (
            <div key={area} className="c-places">
              <p className="c-places-label">{areaLabels[area]}</p>
              {some.map(({ id, label, icon, to }) => (
                <Link
                  key={id}
                  to={to}
                  params={{ team: team ?? "" }}
                  className="c-place"
                  activeOptions={{ exact: to === "/t/$team" || to === "/admin", includeSearch: false }}
                  aria-label={label}
                  onClick={onGo}
                >
                  <Icon name={icon} />
                  <span>{label}</span>
                </Link>
              ))}
            </div>
          );
        })}
      </nav>
    </div>
  );
}
