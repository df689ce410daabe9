import { Breadcrumbs } from "@butler/ui";
import { Link, useMatches } from "@tanstack/react-router";
import { type TrailPart, trailOf } from "./trail-of.ts";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** Name of the page in the breadcrumb, or a route parameter such as `$team`. */
    readonly crumb?: string;
    /** Parent in the breadcrumb that is not a parent route. */
    readonly above?: { readonly crumb: string; readonly to: string };
  }
}

/** The breadcrumb: each matched route contributes its own entry. */
export function Trail() {
  const parts: TrailPart[] = useMatches({ select: trailOf });
  return (
    <Breadcrumbs
      trail={parts.map(({ path, text }, index) => ({
        id: path,
        content: index === parts.length - 1 ? text : <Link to={path}>{text}</Link>,
      }))}
    />
  );
}
