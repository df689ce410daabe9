/** Style sheets adopted by the page. */
export interface AdoptedStyles {
  /** Removes them from the page. */
  release(): void;
}

/**
 * Runs code that creates style elements and turns their rules into adopted style sheets: our content security policy
 * blocks style elements, and the terminal library creates three of them.
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
    // Restores the method of the prototype.
    Reflect.deleteProperty(page, "createElement");
  }
  return {
    release: () => {
      page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
    },
  };
}

/** Placeholder for a style element that forwards its text to the sheet. */
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
