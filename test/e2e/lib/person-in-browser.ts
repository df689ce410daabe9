import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { complaintsOf, hostsOf } from "../../console/lib/browser.ts";

/** Options of the browser. */
export interface BrowserOptions {
  /** Folder for screenshots. */
  readonly pictures: string;
  /** Whether certificates of the company's private CA are trusted. */
  readonly trustsAll?: boolean;
}

/** A user with their own browser. */
export class PersonInBrowser {
  readonly page: Page;
  /** Errors and policy violations so far. */
  readonly complaints: readonly string[];
  /** Hosts that the pages sent requests to. */
  readonly hosts: ReadonlySet<string>;
  readonly #pictures: string;

  private constructor(page: Page, pictures: string) {
    this.page = page;
    const complaints = complaintsOf(page);
    this.complaints = complaints;
    page.on("response", (response) => {
      const isImage = response.request().resourceType() === "image";
      const { "content-type": type = "" } = response.headers();
      // A missing image is answered with a page, which browsers do not report.
      if (isImage && !type.startsWith("image/")) complaints.push(`image: ${response.url()} is ${type}`);
    });
    this.hosts = hostsOf(page);
    this.#pictures = pictures;
  }

  /** Opens a fresh browser context. */
  static async open(browser: Browser, { pictures, trustsAll = false }: BrowserOptions): Promise<PersonInBrowser> {
    const viewport = { width: 1440, height: 900 };
    const context = await browser.newContext({ viewport, reducedMotion: "reduce", ignoreHTTPSErrors: trustsAll });
    return new PersonInBrowser(await context.newPage(), pictures);
  }

  /** Takes a screenshot. */
  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: join(this.#pictures, `${name}.png`) });
  }

  /** Fills in fields by label. */
  async write(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  /** Clicks a button. */
  async press(name: string): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).click();
  }

  /** Clicks a link; the first of several with the same text. */
  async follow(name: string): Promise<void> {
    await this.page.getByRole("link", { name, exact: true }).first().click();
  }

  /** Clicks a link in the main navigation or in the cluster sections. */
  async go(list: "Main" | "Cluster sections", name: string): Promise<void> {
    await this.page.getByRole("navigation", { name: list }).getByRole("link", { name, exact: true }).first().click();
  }

  /** Waits for a text. */
  async sees(words: string | RegExp, timeout = 30_000): Promise<void> {
    await this.page.getByText(words).first().waitFor({ timeout });
  }

  /** Waits for a heading. */
  async isAt(heading: string | RegExp): Promise<Locator> {
    const found = this.page.getByRole("heading", { name: heading }).first();
    await found.waitFor();
    return found;
  }

  /** Waits for a table row that contains all texts. */
  async seesRow(...words: readonly (string | RegExp)[]): Promise<void> {
    const all = this.page.getByRole("row");
    await words
      .reduce((rows, hasText) => rows.filter({ hasText }), all)
      .first()
      .waitFor({ timeout: 180_000 });
  }

  /** Sets a mark that is lost on reload. */
  async mark(): Promise<void> {
    await this.page.evaluate("window.wasHere = true");
  }

  /** Whether the page has not been reloaded since. */
  async isMarked(): Promise<boolean> {
    return (await this.page.evaluate("window.wasHere === true")) === true;
  }

  /** Sends a request from the page, bypassing the UI. Returns the status code. */
  async statusOf(method: string, path: string, body?: object): Promise<number> {
    const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const status: unknown = await this.page.evaluate(`(() => {
      const init = ${JSON.stringify(init)};
      const csrf = document.cookie.split("; ").find((pair) => /^(__Host-)?butler_csrf=/.test(pair)) ?? "";
      init.headers["x-butler-csrf"] = csrf.slice(csrf.indexOf("=") + 1);
      return fetch(${JSON.stringify(path)}, init).then(({ status }) => status);
    })()`);
    return Number(status);
  }
}
