import { ownValue } from '@wherry/kubeapi';

/** Labels or annotations as containers are told of them: one `key="value"` line per entry, sorted by key, values quoted as Go's %q does. */
export function downwardMapText(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .sort()
    .map((key) => `${key}=${quote(ownValue(map, key) ?? '')}`)
    .join('\n');
}

function quote(text: string): string {
  return JSON.stringify(text).replace(/\\(?:\\|u00([0-9a-f]{2}))/g, (whole, hex: string | undefined) =>
    hex ? `\\x${hex}` : whole,
  );
}
