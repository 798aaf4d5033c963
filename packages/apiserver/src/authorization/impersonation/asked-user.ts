import type { IncomingMessage } from 'node:http';
import { badRequest } from '@wherry/kubeapi';

/** Who a request asks to be, as its headers say it: nothing is added yet. */
export interface AskedUser {
  name: string;
  groups: readonly string[];
  uid: string;
  extra: ReadonlyMap<string, readonly string[]>;
}

const extraPrefix = 'impersonate-extra-';

/**
 * What `Impersonate-User`, `-Group`, `-Uid` and `-Extra-KEY` ask for; undefined when none asks for anything. Each line
 * of a header is one value: a group's name may have a comma. Throws 400 when there is no name.
 */
export function readAskedUser(headers: IncomingMessage['headersDistinct']): AskedUser | undefined {
  const extra = new Map<string, readonly string[]>();
  for (const [header, values = []] of Object.entries(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = extraKey(header.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...values]);
  }
  const asked: AskedUser = {
    name: headers['impersonate-user']?.[0] ?? '',
    groups: headers['impersonate-group'] ?? [],
    uid: headers['impersonate-uid']?.[0] ?? '',
    extra,
  };
  if (asked.name !== '') return asked;
  if (asked.groups.length === 0 && asked.uid === '' && extra.size === 0) return undefined;
  throw badRequest(`requested ${inGo(asked)} without impersonating a user name`);
}

/** True when nothing but a name is asked for. */
export function isNameAlone({ groups, uid, extra }: AskedUser): boolean {
  return groups.length === 0 && uid === '' && extra.size === 0;
}

/** Percent-encoded bytes are decoded; a key that can't be is taken as it stands. */
function extraKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** As Go prints the value with its types. */
function inGo({ name, uid, groups, extra }: AskedUser): string {
  const strings = (texts: readonly string[]) =>
    texts.length === 0 ? '(nil)' : `{${texts.map((text) => JSON.stringify(text)).join(', ')}}`;
  const entries = [...extra]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${JSON.stringify(key)}:[]string${strings(values)}`);
  const shownExtra = entries.length === 0 ? '(nil)' : `{${entries.join(', ')}}`;
  const fields = [
    `Name:${JSON.stringify(name)}`,
    `UID:${JSON.stringify(uid)}`,
    `Groups:[]string${strings(groups)}`,
    `Extra:map[string][]string${shownExtra}`,
  ];
  return `&user.DefaultInfo{${fields.join(', ')}}`;
}
