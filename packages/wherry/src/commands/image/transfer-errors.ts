import { ImageError } from '@wherry/images';

/** What to do about a refusal, by what it says. */
const advice: readonly [says: RegExp, advice: string][] = [
  [/answers 404|not found/i, 'there is no such image or tag in that registry; look at its name'],
  [
    /answers 40[13]|denied|unauthorized/i,
    'it is not for everyone: docker login first, or give --creds USER:PASSWORD',
  ],
  [/answers 429|toomanyrequests/i, 'too many came from this address: log in, or come back later'],
  [
    /RegistryUnavailable|cannot be reached/,
    'is the name right? mirrors are given by "wherry up --registry-config DIR", proxies by HTTPS_PROXY or "wherry up --config"',
  ],
  [/ENOSPC|no space/i, 'the disk is full: "wherry image prune --all" removes what no container uses'],
];

/** A failed transfer with the image's name in front and what to do behind. */
export function withAdvice(error: unknown, doing: string): unknown {
  if (!(error instanceof ImageError)) return error;
  const [, what] = advice.find(([says]) => says.test(error.message)) ?? [];
  const message = `${doing}: ${error.message}${what === undefined ? '' : `; ${what}`}`;
  return new ImageError(error.code, message, { cause: error });
}
