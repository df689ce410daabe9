import { expect, it } from "vitest";
import { fewAtATime } from "./name-resolver.ts";

it("resolves a few names at a time, each once, and continues after a failure", async () => {
  const open = new Map<string, (isKnown: boolean) => void>();
  const resolve = fewAtATime((hostname) => {
    const { promise, resolve: give, reject } = Promise.withResolvers<{ address: string; family: 4 }[]>();
    open.set(hostname, (isKnown) => {
      open.delete(hostname);
      if (isKnown) give([{ address: hostname, family: 4 }]);
      else reject(new Error("unknown"));
    });
    return promise;
  }, 2);
  const turn = (): Promise<void> => new Promise((next) => setImmediate(next));
  const all = ["a", "b", "c", "a", "d"].map((name) =>
    resolve(name).then(
      ([found]) => found?.address,
      () => "failed",
    ),
  );
  await turn();
  expect([...open.keys()]).toEqual(["a", "b"]);
  open.get("a")?.(false);
  await turn();
  expect([...open.keys()]).toEqual(["b", "c"]);
  for (const name of ["b", "c"]) open.get(name)?.(true);
  await turn();
  open.get("d")?.(true);
  expect(await Promise.all(all)).toEqual(["failed", "b", "c", "failed", "d"]);
  const again = resolve("a");
  await turn();
  open.get("a")?.(true);
  expect(await again).toEqual([{ address: "a", family: 4 }]);
});
