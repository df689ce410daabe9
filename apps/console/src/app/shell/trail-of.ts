/** As much of a matched route as the trail needs. */
export interface TrailMatch {
  readonly pathname: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly staticData: {
    readonly crumb?: string;
    readonly above?: { readonly crumb: string; readonly to: string };
  };
}

/** One part of the trail. */
export interface TrailPart {
  readonly path: string;
  readonly text: string;
}

/** The trail of a page from the routes that lead to it. */
export function trailOf(matches: readonly TrailMatch[]): TrailPart[] {
  return matches.flatMap(({ pathname, params, staticData: { crumb, above } }) => {
    const filled = (text: string): string => text.replaceAll(/\$(\w+)/g, (_whole, name: string) => params[name] ?? "");
    return [
      ...(above === undefined ? [] : [{ path: filled(above.to), text: above.crumb }]),
      ...(crumb === undefined ? [] : [{ path: pathname, text: filled(crumb) }]),
    ];
  });
}
