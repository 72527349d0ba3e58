import type { Command } from "./command.ts";

/** The scripts that make a shell ask the program for candidates. */
const SCRIPTS = {
  bash: `_flags() {
  local IFS=$'\\n'
  COMPREPLY=($(flags complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _flags flags
`,
  zsh: `#compdef flags
_flags() {
  local -a found
  found=("\${(@f)$(flags complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _flags flags
`,
  fish: `function __flags
  set -l found (flags complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c flags -f -a '(__flags)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

export const scriptFor = (shell: Shell): string => SCRIPTS[shell];

/**
 * Returns what can follow on the command line: commands, or the options of the command.
 *
 * @param words the words after `flags`; the last one is not complete, and may be empty
 */
export function candidates(
  program: ReadonlyMap<string, { readonly command: Command }>,
  words: readonly string[],
): readonly string[] {
  const last = words.at(-1) ?? "";
  const [name = ""] = words.slice(0, -1);
  const command = program.get(name)?.command;
  if (command === undefined && words.length > 1) return [];
  const previous = words.at(-2) ?? "";
  const option = command?.options.find(({ short, long }) =>
    [`-${short}`, `--${long}`].includes(previous),
  );
  // The value of an option is not known here. The shell offers files.
  if (option?.value !== undefined) return [];
  const isOption = last.startsWith("-");
  const names = command ? (command.choices ?? []) : [...program.keys()];
  const options = command?.options.map(({ long }) => `--${long}`) ?? ["--version"];
  return [...(isOption ? [...options, "--help"] : names)]
    .filter((candidate) => candidate.startsWith(last))
    .toSorted();
}
