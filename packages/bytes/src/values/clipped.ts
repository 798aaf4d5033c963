/**
 * A text of somebody else's, at most `charactersMax` long: of a longer one the beginning, and how long it was. What was clipped stays
 * as it is when it is clipped again. No character of two parts is cut in half.
 */
export function clipped(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const ending = `… (clipped: ${text.length} characters)`;
  const end = Math.max(0, charactersMax - ending.length);
  const isInPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(end));
  return `${text.slice(0, isInPair ? end - 1 : end)}${ending}`.slice(0, charactersMax);
}
