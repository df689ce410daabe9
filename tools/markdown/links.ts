/** A link of a Markdown page to another file or to a heading. Links to other sites are not among them. */
export interface PageLink {
  /** From 1. */
  readonly line: number;
  /** The path as it is written, relative to the page; empty for the page itself. */
  readonly path: string;
  readonly anchor: string | undefined;
}

const fence = /^\s*(```|~~~)/;
const markdownTarget = /\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;
const htmlTarget = /<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"\s]+)[^"]*"/g;

/** The links of a page, outside of code. */
export function linksOf(page: string): PageLink[] {
  return proseLines(page).flatMap(({ line, text }) =>
    [...text.matchAll(markdownTarget), ...text.matchAll(htmlTarget)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
      .map((target) => {
        const [path = "", anchor] = target.split("#", 2);
        return { line, path: decodeURIComponent(path), anchor };
      }),
  );
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const { text } of proseLines(page, { keepsCode: true })) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1];
    if (heading !== undefined) anchors.add(unusedAnchor(slugOf(heading), anchors));
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** GitHub numbers headings of the same name. */
function unusedAnchor(slug: string, used: ReadonlySet<string>): string {
  let anchor = slug;
  for (let number = 1; used.has(anchor); number++) anchor = `${slug}-${number}`;
  return anchor;
}

function proseLines(page: string, { keepsCode = false } = {}): { readonly line: number; readonly text: string }[] {
  let isCode = false;
  return page.split("\n").flatMap((text, at) => {
    if (fence.test(text)) {
      isCode = !isCode;
      return [];
    }
    return isCode ? [] : [{ line: at + 1, text: keepsCode ? text : text.replace(/`[^`]*`/g, "") }];
  });
}
