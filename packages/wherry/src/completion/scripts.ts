/** Shells that can be told how to complete `wherry`. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** One of {@link shells}. */
export type Shell = (typeof shells)[number];

/**
 * The scripts hand the words so far to `wherry __complete`, which answers one candidate a line, and the line `:file`
 * where a path is meant.
 */
const scripts: Record<Shell, string> = {
  bash: `_wherry() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == :file ]]; then
      mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
      compopt -o filenames 2>/dev/null
    else
      COMPREPLY+=("$candidate")
    fi
  done < <(wherry __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _wherry wherry`,
  zsh: `#compdef wherry
_wherry() {
  local -a candidates
  candidates=("\${(@f)$(wherry __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${candidates[(Ie):file]} )); then
    _files
    candidates=("\${(@)candidates:#:file}")
  fi
  compadd -- "\${(@)candidates:#}"
}
compdef _wherry wherry`,
  fish: `function __wherry_complete
  set -l words (commandline -opc)[2..-1]
  set -l typed (commandline -ct)
  for candidate in (wherry __complete -- $words "$typed" 2>/dev/null)
    if test "$candidate" = ":file"
      __fish_complete_path "$typed"
    else
      echo $candidate
    end
  end
end
complete -c wherry -f -a '(__wherry_complete)'`,
};

/** The script that a shell reads once to complete `wherry`. */
export const completionScript = (shell: Shell): string => scripts[shell];
