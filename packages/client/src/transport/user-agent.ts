/** As package.json says, which some bundlers do not take for a module. */
const version = '0.1.0';

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Names this client as Go clients name themselves: `wherry/0.1.0 (linux/amd64)`. */
export const defaultUserAgent = `wherry/${version} (${process.platform}/${architectures[process.arch] ?? process.arch})`;
