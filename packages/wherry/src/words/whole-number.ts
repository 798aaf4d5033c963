import { CommandError } from '../errors.ts';

/** A whole number, as ports of new objects are given: the server knows its bounds. Throws `CommandError`, in kubectl's words. */
export function wholeNumber(text: string): number {
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  throw new CommandError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}
