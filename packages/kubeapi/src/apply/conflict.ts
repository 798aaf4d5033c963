/** The 409 that names each field somebody else owns. */
import type { StatusCause } from '../generated/types.ts';
import { applyConflict } from '../status/status-errors.ts';
import type { ManagedSet } from './managers.ts';
import { formatPath, type PathSet } from './path-set.ts';

/** The fields of one manager that a configuration would change. */
export interface Conflict {
  entry: ManagedSet;
  set: PathSet;
}

/** One cause per field; the message lists them by manager, in upstream's words. */
export function conflictError(conflicts: Conflict[]): Error {
  const titled = conflicts.map(({ entry, set }) => ({
    title: describeManager(entry),
    fields: [...set.paths()].map(formatPath),
  }));
  titled.sort((left, right) => (left.title < right.title ? -1 : 1));
  const causes: StatusCause[] = titled.flatMap(({ title, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${title}`, field })),
  );
  const [first] = titled;
  if (causes.length === 1) {
    const message = `Apply failed with 1 conflict: conflict with ${first!.title}: ${first!.fields[0]}`;
    return applyConflict(causes, message);
  }
  const lines = titled.flatMap(({ title, fields }) => [
    `conflicts with ${title}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return applyConflict(causes, `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`);
}

function describeManager({ manager }: ManagedSet): string {
  const { name, operation, apiVersion, subresource } = manager;
  const place = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(name)}${place}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
