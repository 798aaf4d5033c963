import { configurationTables, fieldNames } from '../../../tools/fields/configuration-tables.ts';
import type { FieldClaim, FieldDocument } from '../../../tools/fields/table.ts';
import { proxyFlagNames, proxyMessages } from '../src/generated/kube-proxy.ts';
import { absentProxyFlags } from '../src/roles/flags/nodes/network-flags.ts';
import { proxyFlags } from '../src/roles/flags/nodes/proxy-flags.ts';
import { proxyFields } from '../src/roles/network/configuration/proxy-fields.ts';

const about = `Every field of \`KubeProxyConfiguration\` (kubeproxy.config.k8s.io/v1alpha1) of Kubernetes 1.36, and what is made of it by
\`wherry network --config FILE\`. It does not start with a refused value: it names every bad field at once. A warning is a line of
the log, as is a field that upstream does not know. Zero, false and "" mean the default unless Go has a pointer there, as upstream decodes them.
Without a file \`conntrack\` and \`oomScoreAdj\` act where their flags are given alone.`;

const aboutFlags = `Every flag of upstream's kube-proxy 1.36, and what is made of it by \`wherry network\`. Those that set a field of the
configuration do so where there is no \`--config\`: what is made of their values is what is made of the field's. Beside a file
\`--hostname-override\`, \`-v\`, \`--logging-format\` and \`--log-flush-frequency\` hold alone, as upstream; others are warned of by name.`;

/** Those of the log and of cAdvisor, which are registered elsewhere; `kube-proxy --help` of 1.36.2. */
const flagsFromElsewhere = [
  ...['boot-id-file', 'log-flush-frequency', 'log-json-info-buffer-size', 'log-json-split-stream'],
  ...['log-text-info-buffer-size', 'log-text-split-stream', 'logging-format', 'machine-id-file'],
  ...['v', 'version', 'vmodule'],
];

/** Every flag of kube-proxy. */
export const kubeProxyFlags: readonly string[] = [...proxyFlagNames, ...flagsFromElsewhere].sort();

/** The pages of docs/fields that tell of this package. */
export const documents: readonly FieldDocument[] = [
  {
    file: 'kube-proxy-configuration.md',
    title: 'Fields of a KubeProxyConfiguration',
    about,
    tables: configurationTables('KubeProxyConfiguration', proxyFields, proxyMessages),
    schemaFields: (message) => fieldNames(proxyMessages, message),
  },
  {
    file: 'kube-proxy-flags.md',
    title: 'Flags of kube-proxy',
    about: aboutFlags,
    tables: [{ message: 'flags', fields: flagClaims() }],
    schemaFields: () => kubeProxyFlags,
  },
];

/** Flags that the command has beside those of fields, and what acts on them. */
function ownClaim(flag: string): FieldClaim | undefined {
  if (/^(config|write-config-to)$/.test(flag)) return { actedOn: ['node/roles/flags/nodes/network-flags'] };
  return /^(v|version)$/.test(flag) ? { actedOn: ['node/roles/commands/role-commands'] } : undefined;
}

function flagClaims(): Record<string, FieldClaim> {
  const claims = kubeProxyFlags.map((flag): [string, FieldClaim] => {
    const own = ownClaim(flag);
    if (own) return [flag, own];
    const known = proxyFlags.find(({ name }) => name === flag);
    if (known) return [flag, { sets: known.paths.join(' or ') }];
    const [, why] = absentProxyFlags.find(([begin]) => `--${flag}`.startsWith(begin)) ?? [];
    return [flag, why === undefined ? {} : { refused: [{ values: '', why }] }];
  });
  return Object.fromEntries(claims);
}
