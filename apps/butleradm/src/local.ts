import { parseArgs } from "node:util";
import { LocalEngine } from "@butler/engine";
import { describeError, InvalidInput } from "@butler/std";
import { renderState } from "./render-state.ts";

/** What a command has around it: data goes to `print`, talk goes to `say`. */
export interface Terminal {
  readonly print: (text: string) => void;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

interface LocalFlags {
  readonly name: string;
  readonly output: string;
  readonly follow: boolean;
  readonly lines: string;
  readonly verify: boolean;
}

type LocalCommand = (
  engine: LocalEngine,
  terminal: Terminal,
  rest: { args: string[]; flags: LocalFlags },
) => Promise<number>;

/** `butleradm local`: a real Kubernetes on this machine. Gives the exit code. */
export async function runLocal(argv: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseLocal(argv);
  if (typeof parsed === "string") {
    terminal.say(`butleradm local: ${parsed}`);
    return 2;
  }
  const { values, positionals } = parsed;
  const [verb = "", ...args] = positionals;
  const command = commands[verb];
  if (command === undefined) {
    terminal.say(`butleradm local: there is no command "${verb}"; use one of ${Object.keys(commands).join(", ")}`);
    return 2;
  }
  const engine = new LocalEngine({ name: values.name, say: terminal.say, signal: terminal.signal });
  return command(engine, terminal, { args, flags: values });
}

/** Gives what is wrong, as text, for words that are no command. */
function parseLocal(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        name: { type: "string", default: "local" },
        output: { type: "string", short: "o", default: "table" },
        follow: { type: "boolean", short: "f", default: false },
        lines: { type: "string", default: "100" },
        verify: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return describeError(error).split(". ")[0] ?? "";
  }
}

const commands: Readonly<Record<string, LocalCommand>> = {
  up: async (engine, { say, print, signal }, { flags }) => {
    await engine.up({ verify: flags.verify }).catch((error: unknown) => {
      const again = engine.name === "local" ? "" : ` --name ${engine.name}`;
      if (signal.aborted)
        say(`What was started goes on. "butleradm local up${again}" completes it, "... down${again}" stops it.`);
      throw error;
    });
    say(`\nThe engine ${engine.name} is up. Use it with:\n`);
    print(`export KUBECONFIG=${engine.paths.kubeconfig}`);
    return 0;
  },
  down: async (engine, { say }) => {
    const hadEngine = engine.exists;
    await engine.down();
    say(hadEngine ? "stopped; all data is kept" : `there is no engine ${engine.name} in ${engine.home}`);
    return 0;
  },
  reset: async (engine, { say }) => {
    const hadEngine = engine.exists;
    await engine.reset();
    say(hadEngine ? "removed" : `there is no engine ${engine.name} in ${engine.home}; nothing is left of it`);
    return 0;
  },
  status: async (engine, { print }, { flags }) => {
    const state = await engine.state();
    print(flags.output === "json" ? JSON.stringify(state, undefined, 2) : renderState(state));
    const isReady = state.services.length > 0 && state.services.every((service) => service.state === "Ready");
    return isReady && state.troubles.length === 0 ? 0 : 1;
  },
  kubeconfig: (engine, { print }) => {
    print(engine.paths.kubeconfig);
    return Promise.resolve(0);
  },
  logs: async (engine, { print, signal }, { args, flags }) => {
    const lines = Number(flags.lines);
    if (!Number.isInteger(lines) || lines < 0)
      throw new InvalidInput(`--lines takes a whole number, not "${flags.lines}"`);
    const components = args.length > 0 ? args : (await engine.state()).services.map(({ name }) => name);
    for (const component of components) {
      for await (const line of engine.logs(component, { follow: flags.follow, lines, signal })) {
        print(components.length > 1 ? `${component}: ${line}` : line);
      }
    }
    return 0;
  },
  images: async (engine, { print, say }, { args: [verb = "list", ...files] }) => {
    if (verb === "list") for (const image of await engine.images()) print(image);
    else if (verb === "load" && files.length > 0) {
      for (const file of files) {
        await engine.loadImage(file);
        say(`loaded ${file}`);
      }
    } else {
      say("usage: butleradm local images list | load FILE...");
      return 2;
    }
    return 0;
  },
  doctor: async (engine, { print }) => {
    const obstacles = await engine.diagnose();
    for (const { what, remedy } of obstacles) print(`${what}\n  ${remedy}`);
    if (obstacles.length === 0) print("nothing keeps the engine from running here");
    return obstacles.length === 0 ? 0 : 1;
  },
};
