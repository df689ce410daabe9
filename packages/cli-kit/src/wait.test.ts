import { NotFound, Timeout } from "@butler/std";
import { describe, expect, it } from "vitest";
import { Interrupted } from "./cli-errors.ts";
import { Progress } from "./progress.ts";
import { paperTerminal, type PaperTerminal } from "./testing/paper-terminal.ts";
import { type Verdict, waitUntil, type WaitOptions } from "./wait.ts";

/** Waits for the word "done" in a sequence of words that never ends. */
function waitForDone(terminal: PaperTerminal, words: readonly string[], options: Partial<WaitOptions<string>> = {}) {
  const { clock, signal } = terminal;
  async function* observe(ended: AbortSignal): AsyncGenerator<string> {
    yield* words;
    await new Promise<void>((resolve) => {
      ended.addEventListener("abort", () => resolve(), { once: true });
    });
  }
  const judge = (word: string): Verdict => {
    if (word === "done") return { state: "done" };
    if (word === "broken") return { state: "failed", error: new NotFound("it broke") };
    return { state: "waiting", for: `it says ${word}` };
  };
  return waitUntil({
    what: "the word",
    observe,
    judge,
    tell: (before, after) => [`${before ?? "nothing"} -> ${after}`],
    timeoutMs: 5_000,
    hint: "Ask again later.",
    progress: new Progress(terminal),
    clock,
    signal,
    ...options,
  });
}

describe("waitUntil", () => {
  it("returns the awaited state, and reports each change meanwhile", async () => {
    const terminal = paperTerminal();
    expect(await waitForDone(terminal, ["soon", "done", "more"])).toBe("done");
    expect(terminal.said).toEqual(["nothing -> soon", "soon -> done"]);
    expect(terminal.clock.pending).toBe(0);
  });

  it("fails with the reason on a permanent failure", async () => {
    await expect(waitForDone(paperTerminal(), ["soon", "broken"])).rejects.toThrow("it broke");
  });

  it("times out with the last pending state", async () => {
    const terminal = paperTerminal();
    const waiting = waitForDone(terminal, ["soon"]);
    const failure = expect(waiting).rejects.toMatchObject({
      message: "timed out waiting for the word after 5s: it says soon",
      hint: "Ask again later.",
    });
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    terminal.clock.advance(5_000);
    await failure;
    await expect(waiting).rejects.toBeInstanceOf(Timeout);
  });

  it("stops immediately on interrupt, with a hint that the operation continues", async () => {
    const terminal = paperTerminal();
    const waiting = waitForDone(terminal, ["soon"]);
    const failure = expect(waiting).rejects.toMatchObject({
      message: "stopped waiting for the word",
      hint: "Ask again later.",
    });
    await new Promise((resolve) => setImmediate(resolve));
    terminal.stop(new Interrupted());
    await failure;
    await expect(waiting).rejects.toBeInstanceOf(Interrupted);
    expect(terminal.clock.pending).toBe(0);
  });

  it("does not start when already interrupted", async () => {
    const terminal = paperTerminal();
    terminal.stop(new Interrupted());
    await expect(waitForDone(terminal, ["done"])).rejects.toBeInstanceOf(Interrupted);
  });
});

describe("Progress", () => {
  it("overwrites the spinner line and keeps the permanent lines", () => {
    const terminal = paperTerminal({ isAnimated: true });
    const progress = new Progress(terminal);
    progress.waiting(`waiting for ${"x".repeat(80)}`);
    progress.line("one");
    terminal.clock.advance(500);
    progress.stop();
    expect(terminal.said).toEqual(["one"]);
    const shown = terminal.written.text.replaceAll("\r\u001B[2K", "\n").split("\n");
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThan(terminal.width);
    expect(terminal.written.text.endsWith("\r\u001B[2K")).toBe(true);
    expect(terminal.clock.pending).toBe(0);
  });

  it("prints only permanent lines where lines cannot be overwritten", () => {
    const terminal = paperTerminal();
    const progress = new Progress(terminal);
    progress.waiting("for it");
    progress.line("one");
    progress.stop();
    expect(terminal.written.text).toBe("one\n");
  });
});
