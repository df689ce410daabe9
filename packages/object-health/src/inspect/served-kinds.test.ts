import { builtinKinds, type Kind } from "@butler/resource";
import { NotFound, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { ServedKinds } from "./served-kinds.ts";

/** A server that counts requests. */
function server(answer: () => readonly Kind[]) {
  const asked: string[] = [];
  const discover = (apiVersion: string): Promise<readonly Kind[]> => {
    asked.push(apiVersion);
    return Promise.resolve().then(answer);
  };
  return { asked, discover };
}

describe("the kinds that a cluster serves", () => {
  const { Pod, Secret } = builtinKinds;

  it("are discovered once for many objects, and not again in the next inspection", async () => {
    const client = server(() => [Pod, Secret]);
    const first = new ServedKinds(client);
    const found = await Promise.all(["Pod", "Secret", "Pod"].map((kind) => first.find("v1", kind)));
    expect(found).toEqual([Pod, Secret, Pod]);
    expect(await new ServedKinds(client).find("v1", "Secret")).toEqual(Secret);
    expect(client.asked).toEqual(["v1"]);
  });

  it("are discovered again, once in each inspection, when one is missing", async () => {
    let kinds: readonly Kind[] = [Pod];
    const client = server(() => kinds);
    const first = new ServedKinds(client);
    expect(await Promise.all([first.find("v1", "Secret"), first.find("v1", "Secret")])).toEqual([undefined, undefined]);
    expect(client.asked).toHaveLength(1);
    kinds = [Pod, Secret];
    expect(await new ServedKinds(client).find("v1", "Secret")).toEqual(Secret);
    expect(client.asked).toHaveLength(2);
  });

  it("are discovered again when the server no longer serves one", async () => {
    const client = server(() => [Pod]);
    const kinds = new ServedKinds(client);
    await kinds.find("v1", "Pod");
    kinds.forget("v1");
    await new ServedKinds(client).find("v1", "Pod");
    expect(client.asked).toHaveLength(2);
  });

  it.each([
    ["it knows no such version", new NotFound("no"), undefined],
    ["the server behind it is down", new Unavailable("no", { details: { status: 503 } }), undefined],
    ["it cannot be reached", new Unavailable("no"), "no"],
  ])("when %s", async (_what, error, thrown) => {
    const kinds = new ServedKinds({ discover: () => Promise.reject(error) });
    if (thrown === undefined) expect(await kinds.find("a.b/v1", "Thing")).toBeUndefined();
    else await expect(kinds.find("a.b/v1", "Thing")).rejects.toThrow(thrown);
  });
});
