import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { logSince, readLog, rotateLog } from "./log-file.ts";

async function aLog(text: string): Promise<string> {
  const file = join(await temporaryDirectory(), "log");
  writeFileSync(file, text);
  return file;
}

const read = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

async function linesOf(file: string, lines: number): Promise<string[]> {
  const all: string[] = [];
  for await (const line of readLog(file, { lines })) all.push(line);
  return all;
}

describe("rotateLog", () => {
  it("keeps the allowed number of files, and does nothing below the limit", async () => {
    const file = await aLog("");
    const limit = { maxBytes: 4, files: 3 };
    for (const text of ["one\n", "two\n", "three\n", "4\n"]) {
      appendFileSync(file, text);
      rotateLog(file, limit);
    }
    expect([file, `${file}.1`, `${file}.2`, `${file}.3`].map(read)).toEqual(["4\n", "three\n", "two\n", undefined]);
    expect(rotateLog(`${file}.none`, limit)).toBe(false);
  });

  it("only truncates a log that is limited to one file", async () => {
    const file = await aLog("one\n");
    expect(rotateLog(file, { maxBytes: 1, files: 1 })).toBe(true);
    expect([read(file), read(`${file}.1`)]).toEqual(["", undefined]);
  });

  it("enforces the limit when the copy fails", async () => {
    const file = await aLog("one\n");
    mkdirSync(`${file}.1`);
    chmodSync(`${file}.1`, 0o500);
    expect(() => rotateLog(file, { maxBytes: 1, files: 2 })).toThrow();
    expect(read(file)).toBe("");
  });
});

describe("logSince", () => {
  it("returns the text after a position, or everything when the log was rotated since", async () => {
    const file = await aLog("old\nnew\n");
    expect(logSince(file, 4)).toBe("new\n");
    expect(logSince(file, 99)).toBe("old\nnew\n");
    expect(logSince(`${file}.none`, 0)).toBe("");
  });
});

describe("readLog", () => {
  it("returns the last lines, including older files when the newest has too few", async () => {
    const file = await aLog("5\n6");
    writeFileSync(`${file}.1`, "3\n4\n");
    writeFileSync(`${file}.2`, "1\n2\n");
    expect(await linesOf(file, 2)).toEqual(["5", "6"]);
    expect(await linesOf(file, 3)).toEqual(["4", "5", "6"]);
    expect(await linesOf(file, 99)).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(await linesOf(file, 0)).toEqual([]);
    expect(await linesOf(`${file}.none`, 9)).toEqual([]);
  });

  it("follows across a rotation without losing or repeating lines, and ends with the signal", async () => {
    const file = await aLog("one\ntwo\nthr");
    const end = new AbortController();
    const lines = readLog(file, { lines: 1, follow: true, signal: end.signal });
    const next = async (): Promise<unknown> => (await lines.next()).value;
    expect(await next()).toBe("two");
    appendFileSync(file, "ee\nfour\n");
    expect([await next(), await next()]).toEqual(["three", "four"]);
    appendFileSync(file, "five\nsi");
    rotateLog(file, { maxBytes: 1, files: 2 });
    const euro = Buffer.from("€");
    appendFileSync(file, Buffer.concat([Buffer.from("x\n"), euro.subarray(0, 1)]));
    expect([await next(), await next()]).toEqual(["five", "six"]);
    const rest = next();
    appendFileSync(file, Buffer.concat([euro.subarray(1), Buffer.from("\nend")]));
    expect(await rest).toBe("€");
    const last = next();
    end.abort();
    expect([await last, (await lines.next()).done]).toEqual(["end", true]);
  });
});
