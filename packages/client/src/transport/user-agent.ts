import { readFileSync } from 'node:fs';

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Names this client as Go clients name themselves: `wherry/0.1.0 (linux/amd64)`. */
export const defaultUserAgent = `wherry/${readVersion()} (${process.platform}/${architectures[process.arch] ?? process.arch})`;

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
