import { AlreadyExists } from "@butler/kube";
import { ButlerError, InvalidInput, NotFound } from "@butler/std";
import { describe, expect, it } from "vitest";
import { explainCreation } from "./create.ts";

describe("explainCreation", () => {
  it.each([
    [new AlreadyExists("x"), 'cluster "blue" already exists in namespace payments'],
    [new NotFound("x"), "namespace payments not found"],
    [new InvalidInput("create x: no", { details: { status: 422 } }), "the cluster blue was rejected:\n  no"],
  ])("says what %s means", (error, message) => {
    const explained = explainCreation(error, { name: "blue", namespace: "payments" });
    expect(explained).toBeInstanceOf(ButlerError);
    expect(explained).toMatchObject({ message });
  });
});
