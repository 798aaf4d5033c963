/** The forms that `-o` takes; a table for people without it. */
export const outputFormats = ['json', 'yaml', 'wide', 'name'] as const;

/** One of {@link outputFormats}. */
export type OutputFormat = (typeof outputFormats)[number];
