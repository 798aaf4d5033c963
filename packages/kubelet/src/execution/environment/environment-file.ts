/** A mistake in a file of variables, by its line. */
function mistake(line: number, text: string): Error {
  return new Error(`invalid environment variable format at line ${line}: ${text}`);
}

/**
 * The value of `key` in a file of variables, undefined when it has none. Each is NAME='value', as in a shell, with
 * everything between the quotes as it stands, over several lines too; empty lines, # and what follows it count for
 * nothing. Throws at a line before the key's that is none of these (kubelet's pkg/kubelet/util/env).
 */
export function valueInFile(text: string, key: string): string | undefined {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.replace(/^[ \t]+/, '');
    if (line === '' || line.startsWith('#')) continue;
    const number = at + 1;
    const equals = line.indexOf('=');
    if (equals < 0) throw mistake(number, "missing '='");
    const name = line.slice(0, equals);
    if (name.trim() === '') throw mistake(number, 'empty variable name');
    if (/[ \t]$/.test(name)) throw mistake(number, "whitespace before '=' is not allowed");
    let rest = line.slice(equals + 1);
    // As in a shell: with a space behind it the name is set to nothing.
    if (/^[ \t]/.test(rest)) {
      if (name === key) return '';
      continue;
    }
    if (!rest.startsWith("'")) throw mistake(number, 'value must be enclosed in single quotes');
    rest = rest.slice(1);
    const parts: string[] = [];
    let end = rest.indexOf("'");
    while (end < 0) {
      parts.push(rest);
      at += 1;
      if (at === lines.length) throw mistake(number, 'unclosed single quote');
      rest = lines[at]!;
      end = rest.indexOf("'");
    }
    if (!/^[ \t]*(#.*)?$/.test(rest.slice(end + 1)))
      throw mistake(at + 1, 'unexpected content after closing quote');
    if (name === key) return [...parts, rest.slice(0, end)].join('\n');
  }
  return undefined;
}
