import { NotFound, Timeout } from "@butler/std";
import { describe, expect, it } from "vitest";
import { Interrupted } from "./cli-errors.ts";
import { Progress } from "./progress.ts";
import { paperTerminal, type PaperTerminal } from "./testing/paper-terminal.ts";
import { type Verdict, waitUntil, type WaitOptions } from "./wait.ts";

/** Waits for the word "done" among words that come one after another, and then for ever. */
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
  it("ends with what it waited for, and tells each change on the way", async () => {
    const terminal = paperTerminal();
    expect(await waitForDone(terminal, ["soon", "done", "more"])).toBe("done");
    expect(terminal.said).toEqual(["nothing -> soon", "soon -> done"]);
    expect(terminal.clock.pending).toBe(0);
  });

  it("fails with the reason when it will never come", async () => {
    await expect(waitForDone(paperTerminal(), ["soon", "broken"])).rejects.toThrow("it broke");
  });

  it("gives up when the time is over, with what it waited for last", async () => {
    const terminal = paperTerminal();
    const waiting = waitForDone(terminal, ["soon"]);
    const failure = expect(waiting).rejects.toMatchObject({
      message: "gave up waiting for the word after 5s: it says soon",
      hint: "Ask again later.",
    });
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    terminal.clock.advance(5_000);
    await failure;
    await expect(waiting).rejects.toBeInstanceOf(Timeout);
  });

  it("stops at once when the person wants it, and says that the work goes on", async () => {
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

  it("does not begin when it was stopped before", async () => {
    const terminal = paperTerminal();
    terminal.stop(new Interrupted());
    await expect(waitForDone(terminal, ["done"])).rejects.toBeInstanceOf(Interrupted);
  });
});

describe("Progress", () => {
  it("overwrites what is waited for and leaves the lines that stay", () => {
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

  it("says only the lines that stay where nothing can be overwritten", () => {
    const terminal = paperTerminal();
    const progress = new Progress(terminal);
    progress.waiting("for it");
    progress.line("one");
    progress.stop();
    expect(terminal.written.text).toBe("one\n");
  });
});
