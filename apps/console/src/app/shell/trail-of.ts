/** The part of a matched route that the breadcrumb needs. */
export interface TrailMatch {
  readonly pathname: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly staticData: {
    readonly crumb?: string;
    readonly above?: { readonly crumb: string; readonly to: string };
  };
}

/** One entry of the breadcrumb. */
export interface TrailPart {
  readonly path: string;
  readonly text: string;
}

/** Builds the breadcrumb of a page from its matched routes. */
export function trailOf(matches: readonly TrailMatch[]): TrailPart[] {
  return matches.flatMap(({ pathname, params, staticData: { crumb, above } }) => {
    const filled = (text: string): string => text.replaceAll(/\$(\w+)/g, (_whole, name: string) => params[name] ?? "");
    return [
      ...(above === undefined ? [] : [{ path: filled(above.to), text: above.crumb }]),
      ...(crumb === undefined ? [] : [{ path: pathname, text: filled(crumb) }]),
    ];
  });
}
