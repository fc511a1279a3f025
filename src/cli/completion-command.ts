import { Argument, type Command } from "commander";
import { formatExamples } from "./format-examples.ts";
import { isJson, printJson } from "./output.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const scripts: Record<Shell, (words: Words) => string> = {
  bash: formatBash,
  zsh: formatZsh,
  fish: formatFish,
};

/** What may follow a command: by its words, "" for the program's own. */
type Words = ReadonlyMap<string, readonly string[]>;

const note = `
Add to ~/.bashrc:                        eval "$(npx rollcall completion bash)"
Add to ~/.zshrc, after compinit:         eval "$(npx rollcall completion zsh)"
Add to ~/.config/fish/config.fish:       npx rollcall completion fish | source
It completes the word rollcall; an alias makes it the one of this folder.
`;

export function describeCompletionCommand(
  completion: Command,
  _program: Command,
  loadAll: () => Promise<Command>,
): void {
  completion
    .addArgument(new Argument("<shell>", "bash, zsh or fish").choices(shells))
    .addHelpText("after", note + formatExamples("completion bash"))
    .action(async (shell: Shell, _options: object, command: Command) => {
      const words = wordsOf(await loadAll());
      const script = scripts[shell](words);
      if (isJson(command)) printJson({ shell, script });
      else process.stdout.write(script);
    });
}

function wordsOf(command: Command, path: readonly string[] = []): Map<string, readonly string[]> {
  const options = command.options.flatMap(({ long, short }) => long ?? short ?? []);
  const names = command.commands.map((child) => child.name());
  return new Map([
    [path.join(" "), [...names, ...options, "--json", "--help"]],
    ...command.commands.flatMap((child) => [...wordsOf(child, [...path, child.name()])]),
  ]);
}

/** The cases of a shell's \`case\`: each gives the words that may follow. */
function formatCases(words: Words, format: (names: string) => string): string {
  return [...words]
    .map(([path, names]) => `    "${path}") ${format([...new Set(names)].join(" "))} ;;`)
    .join("\n");
}

/** Both shells collect the words before the cursor that are no options and that some command begins with. */
function formatPath(words: Words, list: string): string {
  const paths = [...words.keys()].filter((path) => path !== "");
  return `  local path="" word
  for word in ${list}; do
    case "$path\${path:+ }$word" in
      ${paths.map((path) => `"${path}"`).join("|")}) path="$path\${path:+ }$word" ;;
    esac
  done`;
}

function formatBash(words: Words): string {
  return `_rollcall() {
${formatPath(words, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  local names=""
  case "$path" in
${formatCases(words, (names) => `names="${names}"`)}
  esac
  COMPREPLY=($(compgen -W "$names" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _rollcall rollcall
`;
}

function formatZsh(words: Words): string {
  return `_rollcall() {
${formatPath(words, '"${(@)words[2,CURRENT-1]}"')}
  local -a names
  case "$path" in
${formatCases(words, (names) => `names=(${names})`)}
  esac
  compadd -- $names
}
compdef _rollcall rollcall
`.replaceAll("path", "called");
}

function formatFish(words: Words): string {
  const lines = [...words].map(([path, names]) => {
    const parts = path.split(" ").filter((part) => part !== "");
    const groups = [...words.keys()].filter((key) => key !== "" && !key.includes(" "));
    const isHere =
      parts.length === 0
        ? `not __fish_seen_subcommand_from ${groups.join(" ")}`
        : parts.map((part) => `__fish_seen_subcommand_from ${part}`).join("; and ");
    return `complete -c rollcall -f -n '${isHere}' -a '${[...new Set(names)].join(" ")}'`;
  });
  return `${lines.join("\n")}\n`;
}
