/** Supported shells. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** The hidden command that the shell scripts call for completions. */
export const completeWord = "__complete";

/** The completion script of a program for a shell. All completion logic is in the program itself. */
export function completionScript(shell: Shell, program: string): string {
  return scripts[shell](program, `__${program.replaceAll(/\W/g, "_")}_complete`);
}

const scripts: Readonly<Record<Shell, (program: string, name: string) => string>> = {
  bash: (program, name) => `# bash completion for ${program}: source <(${program} completion bash)
${name}() {
  local current line directive=
  current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$current" = "=" ] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :[0-9]*) directive="$line" ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
  if [ "$directive" = ":0" ] && [ "\${#COMPREPLY[@]}" -eq 0 ]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F ${name} ${program}`,
  zsh: (program, name) => `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh), or a file _${program} in a folder of $fpath
${name}() {
  local line directive
  local -a described
  while IFS= read -r line; do
    case "$line" in
      :[0-9]*) directive="$line" ;;
      *$'\\t'*) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) described+=("\${line//:/\\\\:}") ;;
    esac
  done < <("\${words[1]}" ${completeWord} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#described} )) && _describe -V '${program}' described
  if [[ "$directive" == ":0" && \${#described} -eq 0 ]]; then _files; fi
}
if [ "\${funcstack[1]}" = "_${program}" ]; then ${name}; else compdef ${name} ${program}; fi`,
  fish: (program, name) => `# fish completion for ${program}: ${program} completion fish | source
function ${name}
    set -l typed (commandline -opc)
    set -l lines ($typed[1] ${completeWord} $typed[2..-1] (commandline -ct) 2>/dev/null)
    for line in $lines
        switch $line
            case ':0'
                test (count $lines) -eq 1; and __fish_complete_path (commandline -ct)
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c ${program} -f -a '(${name})'`,
};
