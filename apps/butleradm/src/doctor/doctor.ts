import { namespaces } from "@butler/api";
import { outputOption, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { Command } from "commander";
import { renderResults, worstOf } from "../platform/check-result.ts";
import { CheckFailed } from "../platform/check-failed.ts";
import { diagnose } from "./diagnose.ts";
import { readDoctor } from "./read-doctor.ts";

interface DoctorOptions extends SessionOptions {
  readonly namespace: string;
  readonly output: "table" | "json" | "yaml";
  readonly all?: boolean;
}

/** `butleradm doctor`. */
export function doctorCommand(terminal: Terminal): Command {
  const command = new Command("doctor")
    .description("Check everything that Butler needs, and suggest fixes for problems")
    .option("-n, --namespace <namespace>", "namespace of Butler's components", namespaces.system)
    .option("-a, --all", "show passed checks as well")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (_options, self: Command) => {
      const { namespace, output, all = false, ...options } = self.optsWithGlobals<DoctorOptions>();
      await withSession(terminal, options, async (session) => {
        const results = diagnose(await readDoctor(session, { namespace, now: terminal.clock.now() }));
        const shown = all ? results : results.filter(({ severity }) => severity !== "ok");
        if (output !== "table") terminal.print(renderValue(all ? results : shown, output));
        else for (const line of renderResults(shown, terminal.paint)) terminal.print(line);
        const count = (severity: string): number => results.filter((each) => each.severity === severity).length;
        if (worstOf(results) !== "fault") {
          terminal.say(`${count("ok")} checks passed, ${count("warning")} warnings.`);
          return;
        }
        throw new CheckFailed(`${count("fault")} faults and ${count("warning")} warnings in ${results.length} checks`);
      });
    });
  return withExamples(command, ["butleradm doctor", "butleradm doctor --all", "butleradm doctor -o json"]);
}
