import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SettingsError } from '../settings-error.ts';
import { type UserInfo, userInfo } from './identity.ts';

/**
 * Users by bearer token, from a file of lines `token,user,uid,"group1,group2"` (upstream's static token file).
 * Throws on a line with fewer than three fields. Tokens are kept hashed, so that looking one up takes no shortcut.
 */
export class TokenFile {
  readonly #users = new Map<string, UserInfo>();

  constructor(path: string) {
    for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
      if (line.trim() === '') continue;
      const [token, name, uid, memberships = ''] = fieldsOf(line);
      if (!token || !name || uid === undefined) {
        throw new SettingsError(`token file "${path}" line ${index + 1}: want token,user,uid[,"groups"]`);
      }
      const groupNames = memberships.split(',').map((group) => group.trim());
      this.#users.set(digest(token), userInfo(name, groupNames.filter(Boolean), uid));
    }
  }

  find(token: string): UserInfo | undefined {
    return this.#users.get(digest(token));
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** The fields of a CSV line; one that contains commas stands in double quotes. */
function fieldsOf(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...fields].map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
}
