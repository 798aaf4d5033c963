/** The ranges of a comma list, such as `10.96.0.0/16,fd00:10:96::/112`. */
export const rangesIn = (text: string): string[] => text.split(',').map((range) => range.trim());
