import manifest from '../../package.json' with { type: 'json' };

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Names this client as Go clients name themselves: `wherry/0.1.0 (linux/amd64)`. */
export const defaultUserAgent = `wherry/${manifest.version} (${process.platform}/${architectures[process.arch] ?? process.arch})`;
