import type { BrowserContext, Page } from "playwright-core";
import { complaintsOf, hostsOf } from "./browser.ts";

/** A page of a visitor, with its complaints and hosts since it was opened. */
export interface Tab {
  readonly page: Page;
  readonly complaints: string[];
  readonly hosts: Set<string>;
}

/**
 * Tabs of visitors, each in its own window: background tabs are not painted in time. Tabs are reused, since a new tab
 * is a new browser process, which costs more than most visits.
 */
export class Tabs<Visitor extends string> {
  readonly #openWindow: (visitor: Visitor) => Promise<BrowserContext>;
  readonly #free = new Map<Visitor, Tab[]>();

  constructor(openWindow: (visitor: Visitor) => Promise<BrowserContext>) {
    this.#openWindow = openWindow;
  }

  /** Runs work in an exclusive tab. After a failure the tab is not reused. */
  async use(visitor: Visitor, work: (tab: Tab) => Promise<void>): Promise<void> {
    const tab = this.#free.get(visitor)?.pop() ?? (await this.#open(visitor));
    try {
      await work(tab);
      // Clears the session storage, as closing a tab would.
      await tab.page.evaluate("sessionStorage.clear()");
    } catch (error) {
      await tab.page.context().close();
      throw error;
    }
    tab.complaints.length = 0;
    tab.hosts.clear();
    this.#free.set(visitor, [...(this.#free.get(visitor) ?? []), tab]);
  }

  async #open(visitor: Visitor): Promise<Tab> {
    const page = await (await this.#openWindow(visitor)).newPage();
    const tab = { page, complaints: complaintsOf(page), hosts: hostsOf(page) };
    page.on("dialog", (dialog) => {
      tab.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return tab;
  }
}
