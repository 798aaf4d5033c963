import { shownJson } from '@wherry/bytes';
import type { NodeLayout, Role } from '../layout/layout.ts';
import type { NodeRecord } from '../layout/record.ts';
import { writtenFlags } from '../roles/commands/given-flags.ts';
import { roleFlags } from './role-flags.ts';

/** The command line of each process, exactly as a user could type it. */
export function roleArguments(role: Role, layout: NodeLayout, record: NodeRecord): string[] {
  const flags = Object.entries(roleFlags[role](layout, record));
  return [
    role,
    ...flags.flatMap(([name, value]) => written(value).map((text) => `--${dashed(name)}=${text}`)),
    ...(role === 'apiserver' ? writtenFlags(record.settings?.apiserverFlags) : []),
    ...(role === 'controllers' ? writtenFlags(record.settings?.controllersFlags) : []),
  ];
}

/** `tlsCertFile` as flags spell it: `tls-cert-file`. */
const dashed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A value as flags take it: lists with commas, and a flag for each entry of what has names. */
const written = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([name, setting]) => `${name}=${shownJson(setting)}`)
    : [[value].flat().map(shownJson).join(',')];
