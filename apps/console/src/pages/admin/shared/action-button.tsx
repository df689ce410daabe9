import type { Route } from "@butler/contract";
import { Button, type ButtonProps, Tooltip } from "@butler/ui";
import { useMe } from "../../../session/me.ts";
import { refusalOf, standingOf } from "../../../session/standing.ts";

/** A button and the route that it uses. */
export interface ActionButtonProps extends ButtonProps {
  readonly route: Pick<Route, "permission">;
}

/** A button for what needs a role. Somebody without it sees that there is such a thing, and why it is not for them. */
export function ActionButton({ route, ...rest }: ActionButtonProps) {
  const refusal = refusalOf(route, standingOf(useMe()));
  if (refusal === undefined) return <Button {...rest} />;
  return (
    <Tooltip text={refusal}>
      <Button {...rest} type="button" onClick={undefined} aria-disabled="true" aria-description={refusal} />
    </Tooltip>
  );
}

/** Whether whoever is signed in may use a route; nobody may use none. */
export function useMay(route: Pick<Route, "permission"> | undefined): boolean {
  const standing = standingOf(useMe());
  return route !== undefined && refusalOf(route, standing) === undefined;
}
