/** Styles that a page has taken over from elements. */
export interface AdoptedStyles {
  /** Takes them out of the page again. */
  release(): void;
}

/**
 * Runs something that makes style elements, and gives their rules to the page as style sheets of its own: our content
 * security policy lets no style element have an effect, and the library of the terminal makes three of them.
 */
export function withoutStyleElements(page: Document, work: () => void): AdoptedStyles {
  const sheets: CSSStyleSheet[] = [];
  const make = page.createElement.bind(page);
  const makeOther = (name: string, options?: ElementCreationOptions): HTMLElement => {
    if (name.toLowerCase() !== "style") return make(name, options);
    const sheet = new CSSStyleSheet();
    sheets.push(sheet);
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
    return stylePlaceholder(make("span"), sheet);
  };
  Object.defineProperty(page, "createElement", { configurable: true, value: makeOther });
  try {
    work();
  } finally {
    // The one of the prototype is in sight again.
    Reflect.deleteProperty(page, "createElement");
  }
  return {
    release: () => {
      page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
    },
  };
}

/** Stands where the style element would, and hands every text that it is given to the sheet. */
function stylePlaceholder(element: HTMLElement, sheet: CSSStyleSheet): HTMLElement {
  element.hidden = true;
  const held = { text: "" };
  Object.defineProperty(element, "textContent", {
    configurable: true,
    get: () => held.text,
    set: (text: string) => {
      held.text = text;
      sheet.replaceSync(text);
    },
  });
  return element;
}
