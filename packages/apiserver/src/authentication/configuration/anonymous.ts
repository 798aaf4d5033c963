import { forbiddenField, joinFieldErrors } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import type { AnonymousSettings } from './authentication-configuration.ts';

/** Where it is said whether who shows nothing may ask. */
export interface AnonymousSources {
  /** By a flag; undefined: none was given. */
  flag: boolean | undefined;
  /** By the file; undefined: it does not say it. */
  file: AnonymousSettings | undefined;
  /** Everybody may do everything. */
  isAllAllowed: boolean;
}

/** As upstream: with AlwaysAllow he may not, unless the file says so. Throws where both say it. */
export function anonymousSettings(
  { flag, file, isAllAllowed }: AnonymousSources,
  logger: Logger,
): AnonymousSettings {
  if (file && flag !== undefined) {
    const why = '--anonymous-auth and the configuration of authentication may not both say it';
    throw new Error(joinFieldErrors([forbiddenField('anonymous', why)]));
  }
  if (file) return file;
  const enabled = flag ?? true;
  if (!enabled || !isAllAllowed) return { enabled, paths: [] };
  logger.warn('with AlwaysAllow nobody may ask who shows nothing: --anonymous-auth is false');
  return { enabled: false, paths: [] };
}

/** Whether who shows nothing may ask for a path, as it stands in the request. */
export function mayAskUnknown({ enabled, paths }: AnonymousSettings, url: string): boolean {
  if (!enabled || paths.length === 0) return enabled;
  const [path = ''] = url.split('?', 1);
  try {
    return paths.includes(decodeURIComponent(path));
  } catch {
    return false;
  }
}
