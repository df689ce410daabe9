import type { Page } from "playwright-core";

/** Frame times of a page while it is scrolled. */
export interface Frames {
  readonly count: number;
  readonly longestMs: number;
  readonly p99Ms: number;
}

/** Scrolls an element by the same step in every frame and measures each frame. Run in the page. */
const scrolling = `async (selector) => {
  const scroller = selector === undefined ? document.scrollingElement : document.querySelector(selector);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const took = [];
  await frame();
  let before = await frame();
  for (let at = 0; at < 300; at++) {
    scroller.scrollTop = at < 250 ? at * 400 : Math.round(Math.abs(Math.sin(at)) * scroller.scrollHeight);
    const now = await frame();
    took.push(now - before);
    before = now;
  }
  took.sort((left, right) => left - right);
  return { count: took.length, longestMs: took.at(-1), p99Ms: took[Math.floor(took.length * 0.99)] };
}`;

/** Scrolls a list: slowly at first, then in large steps. */
export function scrollList(page: Page, selector: string): Promise<Frames> {
  return page.evaluate<Frames>(`(${scrolling})(${JSON.stringify(selector)})`);
}

/** The same on an empty page of the same height: the overhead of the machine and the browser. */
export async function scrollNothing(page: Page): Promise<Frames> {
  await page.setContent('<body style="margin:0;height:180000px">nothing</body>');
  return page.evaluate<Frames>(`(${scrolling})()`);
}

/** The heap of a page in MiB after garbage collection. */
export async function collectedHeapMiB(page: Page): Promise<number> {
  const client = await page.context().newCDPSession(page);
  try {
    await client.send("HeapProfiler.enable");
    await client.send("HeapProfiler.collectGarbage");
    const { usedSize } = await client.send("Runtime.getHeapUsage");
    return usedSize / 2 ** 20;
  } finally {
    await client.detach();
  }
}
