import { Timeout } from "@butler/std";
import { describe, expect, it } from "vitest";
import { eventually } from "./eventually.ts";

const quickly = { timeoutMs: 5_000, intervalMs: 1 };
const hopeless = { timeoutMs: 5, intervalMs: 1 };

/** A condition that returns these values one after the other, and the last one from then on. */
function answering<T>(...answers: (() => T)[]) {
  let asked = 0;
  const condition = (): T | undefined => answers[Math.min(asked++, answers.length - 1)]?.();
  return { condition, asked: () => asked };
}

const refuse = (message: string) => (): never => {
  throw new Error(message);
};

describe("eventually", () => {
  it("returns the result of the condition, immediately if it holds", async () => {
    const { condition, asked } = answering(() => ({ name: "blue" }));
    expect(await eventually(condition, quickly)).toEqual({ name: "blue" });
    expect(asked()).toBe(1);
  });

  it.each<[string, unknown]>([
    ["false", false],
    ["undefined", undefined],
    ["null", null],
    ["zero", 0],
    ["an empty text", ""],
  ])("polls again after %s", async (_what, answer) => {
    const { condition, asked } = answering<unknown>(
      () => answer,
      () => answer,
      () => "there",
    );
    expect(await eventually(condition, quickly)).toBe("there");
    expect(asked()).toBe(3);
  });

  it("waits for slow conditions", async () => {
    const { condition } = answering<Promise<boolean>>(
      () => Promise.resolve(false),
      () => Promise.resolve(true),
    );
    expect(await eventually(condition, quickly)).toBe(true);
  });

  it("treats an error as not yet", async () => {
    const { condition } = answering<string>(refuse("not there"), () => "there");
    expect(await eventually(condition, quickly)).toBe("there");
  });

  it("reports what did not happen, and why the last attempt failed", async () => {
    const { condition } = answering(refuse("no such object"));
    const error: unknown = await eventually(condition, { ...hopeless, what: "the namespace" }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Timeout);
    expect(error).toMatchObject({
      message: "timed out after 5 ms waiting for the namespace",
      cause: { message: "no such object" },
    });
  });

  it("does not report an error that no longer occurred at the timeout", async () => {
    const { condition } = answering<boolean>(refuse("at first"), () => false);
    const error: unknown = await eventually(condition, hopeless).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Timeout);
    expect((error as Timeout).cause).toBeUndefined();
  });

  it("computes the description only on failure, so that it reports the latest state", async () => {
    let looked = 0;
    const what = (): string => `the fifth look (there were ${looked > 0 ? "some" : "none"})`;
    const waiting = eventually(() => ++looked < 0, { ...hopeless, what });
    await expect(waiting).rejects.toThrow("waiting for the fifth look (there were some)");
  });

  it("polls at least once regardless of the timeout", async () => {
    expect(await eventually(() => "there", { timeoutMs: 0 })).toBe("there");
  });
});
