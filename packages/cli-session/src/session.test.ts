import { InvalidInput, NotFound, Unauthenticated, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { explainConnection } from "./session.ts";

const where = { context: "lab", server: "https://10.0.0.1:6443" };

describe("explainConnection", () => {
  it.each([
    [
      new Unavailable("list: connect ECONNREFUSED"),
      "Check that the management cluster for context lab is running at https://10.0.0.1:6443.",
    ],
    [
      new Unauthenticated("list: Unauthorized"),
      "The credentials for context lab are invalid or have expired. Renew them, or choose another context with --context.",
    ],
    [
      new NotFound("list: the server could not find the requested resource"),
      "Check that Butler is installed in the cluster for context lab, or choose another context with --context.",
    ],
  ])("adds a hint to %s", (error, hint) => {
    expect(explainConnection(error, where)).toMatchObject({ message: error.message, hint });
  });

  it.each([
    new Unavailable("the API server says 500", { details: { status: 500 } }),
    new Unavailable("away", { hint: "Wait." }),
    new NotFound("there is no cluster"),
    new InvalidInput("wrong"),
    new Error("anything"),
  ])("returns %s unchanged", (error) => {
    expect(explainConnection(error, where)).toBe(error);
  });
});
