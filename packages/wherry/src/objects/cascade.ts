/** What becomes of the dependents of an object that is deleted, as the API has it. */
export const propagation = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** What becomes of them, as `--cascade` has it. */
export type Cascade = keyof typeof propagation;
