import { columns, type Lines, section } from '../text/lines.ts';

/** The conditions of what makes pods. */
export function conditionLines(
  conditions: readonly { type: string; status: string; reason?: string }[] | undefined = [],
): Lines {
  if (conditions.length === 0) return [];
  const rows = conditions.map(({ type, status, reason }) => [`${type} `, status, reason]);
  return section('Conditions', columns(['Type', 'Status', 'Reason'], rows));
}
