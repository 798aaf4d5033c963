/** A number or a name, as ports and shares are given. */
export const intOrString = (text: string): number | string => (/^-?\d+$/.test(text) ? Number(text) : text);
