import type { Command } from 'commander';

/** What `/flagz` shows of how a process was started, beside the values that its command has read. */
export interface ShownFlags {
  /** By name, without the dashes. */
  flags?: Readonly<Record<string, string>>;
}

/**
 * Has the command hand over, as the value `flags`, each of its flags that was given, as it was typed, and those that have
 * a default.
 */
export function showFlags(command: Command): Command {
  const typed = new Map<string, string[]>();
  for (const option of command.options) {
    const name = option.name();
    // The parser's own event; what stands alone is a switch.
    command.on(`option:${name}`, (text: string | null | undefined) =>
      typed.set(name, [...(typed.get(name) ?? []), text ?? 'true']),
    );
  }
  return command.hook('preAction', () => {
    const shown = command.options.flatMap((option): [string, string][] => {
      const given = typed.get(option.name());
      if (given) return [[option.name(), given.join(',')]];
      const { defaultValue } = option as { defaultValue: string | number | boolean | undefined };
      return defaultValue === undefined ? [] : [[option.name(), String(defaultValue)]];
    });
    command.setOptionValue('flags', Object.fromEntries(shown));
  });
}
