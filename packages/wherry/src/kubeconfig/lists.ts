/** The lists of a kubeconfig whose entries have names, and the field of each entry that holds the rest. */
export const listFields = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;
/** One of those lists. */
export type List = keyof typeof listFields;
/** Their names. */
export const lists = Object.keys(listFields) as List[];
