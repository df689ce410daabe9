import type { Key } from "ink";
import { describe, expect, it } from "vitest";
import { pressedKeys } from "./pressed-keys.ts";

const none = {} as Key;
const text = (letter: string) => ({ name: "text", text: letter });

describe("pressedKeys", () => {
  it.each<[string, Partial<Key>, readonly object[]]>([
    ["a", {}, [text("a")]],
    ["ab", {}, [text("a"), text("b")]],
    ["é日", {}, [text("é"), text("日")]],
    ["a\rb", {}, [text("a"), { name: "enter" }, text("b")]],
    ["\u0000", {}, []],
    ["\u0015ab\r", {}, [{ name: "clear" }, text("a"), text("b"), { name: "enter" }]],
    ["a\u007F\tb\u0003", {}, [text("a"), { name: "backspace" }, { name: "tab" }, text("b"), { name: "interrupt" }]],
    ["\u0018", {}, []],
    ["", { upArrow: true }, [{ name: "up" }]],
    ["", { tab: true }, [{ name: "tab" }]],
    ["", { tab: true, shift: true }, [{ name: "backTab" }]],
    ["c", { ctrl: true }, [{ name: "interrupt" }]],
    ["x", { ctrl: true }, []],
    ["", { delete: true }, [{ name: "backspace" }]],
    ["", { escape: true }, [{ name: "escape" }]],
    ["p", { meta: true }, [{ name: "escape" }, text("p")]],
  ])("%j with %j", (input, key, expected) => {
    expect(pressedKeys(input, { ...none, ...key })).toEqual(expected);
  });
});
