import { builtFileName, type Tool } from "../lock-file.ts";

/**
 * Divides the tools of one module into as few `go build` calls as possible. Go names each output file after its
 * package, and silently overwrites a file of the same name; so no call builds two such packages.
 */
export function divideIntoCalls(tools: readonly Tool[]): Tool[][] {
  const calls: Tool[][] = [];
  for (const tool of tools) {
    const fileName = builtFileName(tool.package);
    const call = calls.find((others) => others.every((other) => builtFileName(other.package) !== fileName));
    if (call === undefined) calls.push([tool]);
    else call.push(tool);
  }
  return calls;
}

/** The arguments of one `go build` call; all tools are of the same module. */
export function goBuildArguments(tools: readonly Tool[], output: string): string[] {
  const cgo = tools[0]?.module.cgo;
  const linkValues = Object.assign({}, ...tools.map((tool) => tool.project.linkValues)) as Record<string, string>;
  const stamps = Object.entries(linkValues).map(([variable, value]) => `-X ${variable}=${value}`);
  const linkerFlags = ["-s", "-w", ...stamps, ...(cgo === undefined ? [] : [cgo.linkerFlags])].join(" ");
  return [
    "build",
    "-trimpath",
    "-gcflags=all=-dwarf=false",
    ...(cgo === undefined ? [] : ["-tags", cgo.tags.join(",")]),
    "-ldflags",
    linkerFlags,
    "-o",
    `${output}/`,
    ...tools.map((tool) => tool.package),
  ];
}

/**
 * The environment of every `go` call: everything that affects the result is set, and the target is always this machine.
 */
export function goEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GOOS: _os, GOARCH: _arch, ...rest } = environment;
  return {
    ...rest,
    CGO_ENABLED: "0",
    GOGC: "off",
    GOMEMLIMIT: "3GiB",
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    GOFLAGS: "-buildvcs=false -mod=readonly",
  };
}
