import { AlreadyExists } from "@butler/kube";
import { ButlerError, InvalidInput, NotFound } from "@butler/std";
import { describe, expect, it } from "vitest";
import { explainCreation } from "./create.ts";

describe("explainCreation", () => {
  it.each([
    [new AlreadyExists("x"), 'there is a cluster "blue" in namespace payments already'],
    [new NotFound("x"), "there is no namespace payments to make the cluster in"],
    [new InvalidInput("create x: no", { details: { status: 422 } }), "the cluster blue is refused:\n  no"],
  ])("says what %s means", (error, message) => {
    const told = explainCreation(error, { name: "blue", namespace: "payments" });
    expect(told).toBeInstanceOf(ButlerError);
    expect(told).toMatchObject({ message });
  });
});
