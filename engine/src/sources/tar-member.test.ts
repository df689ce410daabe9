import { describe, expect, it } from "vitest";
import { buildTar } from "../testing/tar-archive.ts";
import { readTarMember, type TarMember } from "./tar-member.ts";

const archive = buildTar([
  { name: "etcd-v1/", content: "", type: "5" },
  { name: "pax", content: "30 path=something long\n", type: "x" },
  { name: "etcd-v1/README.md", content: "r".repeat(700) },
  { name: "./etcd-v1/etcd", content: "program".repeat(300) },
  { name: "etcd-v1/etcdctl", content: "other" },
]);

async function* inPieces(data: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

async function readAll(stream: AsyncIterable<Buffer>, member: TarMember): Promise<string> {
  const chunks = [];
  for await (const chunk of readTarMember(stream, member)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function read(data: Buffer, name: string, options: { limitBytes?: number; pieces?: number } = {}) {
  return readAll(inPieces(data, options.pieces ?? 4096), { name, limitBytes: options.limitBytes ?? 1_000_000 });
}

describe("readTarMember", () => {
  it.each([1, 7, 512, 100_000])("finds a member in a stream of %i-byte pieces", async (pieces) => {
    expect(await read(archive, "etcd-v1/etcd", { pieces })).toBe("program".repeat(300));
  });

  it.each([
    ["an absent member", archive, "etcd-v1/missing", {}, "does not contain etcd-v1/missing"],
    ["a directory", archive, "etcd-v1/", {}, "does not contain etcd-v1/"],
    ["too large a member", archive, "etcd-v1/etcd", { limitBytes: 100 }, "larger than 100 bytes"],
    ["a cut archive", archive.subarray(0, 4000), "etcd-v1/etcd", {}, "is truncated within"],
    ["an empty archive", Buffer.alloc(0), "etcd-v1/etcd", {}, "does not contain"],
    ["something that is no archive", Buffer.alloc(1024, "?"), "etcd", {}, "not a tar file"],
  ])("refuses %s", async (_what, data, name, options, message) => {
    await expect(read(data, name, options)).rejects.toThrow(message);
  });

  it("rethrows an error of the stream", async () => {
    const lost = Object.assign(new Error("the disk is gone"), { code: "EIO" });
    async function* failing(): AsyncGenerator<Buffer> {
      yield* inPieces(archive.subarray(0, 3_000), 512);
      throw lost;
    }
    const member = { name: "etcd-v1/etcd", limitBytes: 1_000_000 };
    await expect(readAll(failing(), member)).rejects.toBe(lost);
  });

  it("closes the stream when its reader stops", async () => {
    let isClosed = false;
    async function* closing(): AsyncGenerator<Buffer> {
      try {
        yield* inPieces(archive, 512);
      } finally {
        isClosed = true;
      }
    }
    for await (const chunk of readTarMember(closing(), { name: "etcd-v1/etcd", limitBytes: 1_000_000 })) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(isClosed).toBe(true);
  });
});
