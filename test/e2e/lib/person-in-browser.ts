import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { complaintsOf, hostsOf } from "../../console/lib/browser.ts";

/** What a person is in. */
export interface BrowserOptions {
  /** Where pictures of what they see go. */
  readonly pictures: string;
  /** Whether certificates of an authority count that only this company knows, as on the company's own machines. */
  readonly trustsAll?: boolean;
}

/** Somebody with a browser of their own, who uses the console as it is. */
export class PersonInBrowser {
  readonly page: Page;
  /** Errors and broken policies of the pages so far. */
  readonly complaints: readonly string[];
  /** Whom the pages have asked for anything. */
  readonly hosts: ReadonlySet<string>;
  readonly #pictures: string;

  private constructor(page: Page, pictures: string) {
    this.page = page;
    const complaints = complaintsOf(page);
    this.complaints = complaints;
    page.on("response", (response) => {
      const isImage = response.request().resourceType() === "image";
      const { "content-type": type = "" } = response.headers();
      // Pages answer for whatever is not there, which no browser complains of.
      if (isImage && !type.startsWith("image/")) complaints.push(`image: ${response.url()} is ${type}`);
    });
    this.hosts = hostsOf(page);
    this.#pictures = pictures;
  }

  /** Opens a browser that nobody has been in before. */
  static async open(browser: Browser, { pictures, trustsAll = false }: BrowserOptions): Promise<PersonInBrowser> {
    const viewport = { width: 1440, height: 900 };
    const context = await browser.newContext({ viewport, reducedMotion: "reduce", ignoreHTTPSErrors: trustsAll });
    return new PersonInBrowser(await context.newPage(), pictures);
  }

  /** Keeps what is seen now, for whoever wants to look at it later. */
  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: join(this.#pictures, `${name}.png`) });
  }

  /** Writes into fields, by their labels. */
  async write(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  /** Presses a button. */
  async press(name: string): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).click();
  }

  /** Follows a link; of several with the same words, the first. */
  async follow(name: string): Promise<void> {
    await this.page.getByRole("link", { name, exact: true }).first().click();
  }

  /** Goes to a place of the rail, or to a part of a cluster, by the name of the list that leads there. */
  async go(list: "Places" | "Parts of the cluster", name: string): Promise<void> {
    await this.page.getByRole("navigation", { name: list }).getByRole("link", { name, exact: true }).first().click();
  }

  /** Waits until words are there. */
  async sees(words: string | RegExp, timeout = 30_000): Promise<void> {
    await this.page.getByText(words).first().waitFor({ timeout });
  }

  /** Waits until the page has a heading. */
  async isAt(heading: string | RegExp): Promise<Locator> {
    const found = this.page.getByRole("heading", { name: heading }).first();
    await found.waitFor();
    return found;
  }

  /** Waits until a row of a list has all of the words. */
  async seesRow(...words: readonly (string | RegExp)[]): Promise<void> {
    const all = this.page.getByRole("row");
    await words
      .reduce((rows, hasText) => rows.filter({ hasText }), all)
      .first()
      .waitFor({ timeout: 180_000 });
  }

  /** Leaves a mark that goes when the page is loaded anew. */
  async mark(): Promise<void> {
    await this.page.evaluate("window.wasHere = true");
  }

  /** Whether the page is still the one with the mark. */
  async isMarked(): Promise<boolean> {
    return (await this.page.evaluate("window.wasHere === true")) === true;
  }

  /** Sends a request from inside the page, past everything that the pages hide; gives the status. */
  async statusOf(method: string, path: string, body?: object): Promise<number> {
    const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const status: unknown = await this.page.evaluate(`(() => {
      const init = ${JSON.stringify(init)};
      const csrf = document.cookie.split("; ").find((pair) => pair.startsWith("butler_csrf=")) ?? "";
      init.headers["x-butler-csrf"] = csrf.slice("butler_csrf=".length);
      return fetch(${JSON.stringify(path)}, init).then(({ status }) => status);
    })()`);
    return Number(status);
  }
}
