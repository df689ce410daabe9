import { namespaces } from "@butler/api";
import { outputOption, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { Command } from "commander";
import { counted } from "../common/words.ts";
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
    .description("Diagnose the Butler installation and suggest fixes")
    .option("-n, --namespace <namespace>", "namespace of Butler's components", namespaces.system)
    .option("-a, --all", "also show passed checks")
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
          terminal.say(`${counted(count("ok"), "check")} passed, ${counted(count("warning"), "warning")}.`);
          return;
        }
        throw new CheckFailed(
          `${counted(count("fault"), "fault")} and ${counted(count("warning"), "warning")} in ${counted(results.length, "check")}`,
        );
      });
    });
  return withExamples(command, ["butleradm doctor", "butleradm doctor --all", "butleradm doctor -o json"]);
}
