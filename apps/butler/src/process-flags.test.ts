import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeProcessFlags } from "./process-flags.ts";

const none = { kubeconfig: undefined, healthPort: undefined, isElected: false, logLevel: "info" };

describe("takeProcessFlags", () => {
  it.each([
    [[], none, []],
    [["--kubeconfig", "/k"], { ...none, kubeconfig: "/k" }, []],
    [["--kubeconfig=/k", "--volumes", "/v"], { ...none, kubeconfig: "/k" }, ["--volumes", "/v"]],
    [["--volumes=/v", "--health-port", "8081", "rest"], { ...none, healthPort: 8081 }, ["--volumes=/v", "rest"]],
    [["--health-port=0", "--leader-election"], { ...none, healthPort: 0, isElected: true }, []],
    [["--leader-election=true", "-x"], { ...none, isElected: true }, ["-x"]],
    [["--leader-election=false"], none, []],
    [["--log-level=debug", "-x"], { ...none, logLevel: "debug" }, ["-x"]],
    [["--log-level", "warn"], { ...none, logLevel: "warn" }, []],
    [["--log-level=info"], none, []],
    [["--log-level=error"], { ...none, logLevel: "error" }, []],
    [["--", "--kubeconfig"], none, ["--", "--kubeconfig"]],
  ])("removes its own flags from %j", (args, flags, rest) => {
    expect(takeProcessFlags(args)).toEqual({ flags, rest });
  });

  it.each([
    ["--kubeconfig"],
    ["--kubeconfig="],
    ["--health-port"],
    ["--health-port=x"],
    ["--health-port=70000"],
    ["--health-port=-1"],
    ["--log-level"],
    ["--log-level="],
    ["--log-level=silent"],
    ["--log-level=Debug"],
  ])("rejects %s", (...args) => {
    expect(() => takeProcessFlags(args)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });

  it("lists the valid log levels", () => {
    expect(() => takeProcessFlags(["--log-level=verbose"])).toThrow(
      expect.objectContaining({
        message: "--log-level verbose is not a valid log level",
        hint: "Use one of debug, info, warn, error.",
      }),
    );
  });

  it("passes a role's own arguments unchanged, regardless of the order", () => {
    const own = fc.array(fc.constantFrom("--volumes=/v", "--range=10.0.0.0/24", "word", "-v", "--flag"));
    const shared = fc.constantFrom(["--kubeconfig", "/k"], ["--kubeconfig=/k"]);
    fc.assert(
      fc.property(own, shared, fc.nat(), (rest, flag, place) => {
        const at = place % (rest.length + 1);
        const taken = takeProcessFlags([...rest.slice(0, at), ...flag, ...rest.slice(at)]);
        expect(taken).toEqual({ flags: { ...none, kubeconfig: "/k" }, rest });
      }),
    );
  });
});
