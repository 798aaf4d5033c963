/** Values of a KubeProxyConfiguration that are of no general kind. */
import { isIP } from 'node:net';
import { ownValue, parseCidr } from '@wherry/kubeapi';
import { type FieldType, gateFacts, gateProblem, isMap, text } from '@wherry/kubelet/configuration-fields';
import { placeProblem } from '@wherry/service-proxy';

/** Text of which this says what is wrong; undefined when nothing is. */
function checkedText(problemOf: (value: string) => string | undefined, initial = ''): FieldType<string> {
  const type = text(initial);
  return {
    ...type,
    decode(value, path, report) {
      const decoded = type.decode(value, path, report);
      const problem = problemOf(decoded);
      if (problem !== undefined) report.error(path, problem);
      return decoded;
    },
  };
}

const portMax = 65_535;

/** `IP:PORT`, `[IP]:PORT`, or an address alone, which gets the port that is usual; '' for none. */
export const socketAddress = (usualPort: number): FieldType<string> => {
  const type = checkedText((value) => {
    const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(value) ?? [];
    const isFine = isIP(host) !== 0 && Number(port) >= 1 && Number(port) <= portMax;
    return value === '' || isFine ? undefined : `${JSON.stringify(value)} is not IP:port`;
  });
  const withPort = (value: string) =>
    ({ 0: value, 4: `${value}:${usualPort}`, 6: `[${value}]:${usualPort}` })[isIP(value) as 0 | 4 | 6];
  return {
    ...type,
    decode: (value, path, report) =>
      type.decode(typeof value === 'string' ? withPort(value) : value, path, report),
  };
};

/** An IP address. */
export const ipAddress = (initial: string): FieldType<string> =>
  checkedText(
    (value) => (isIP(value) === 0 ? `${JSON.stringify(value)} is not an IP address` : undefined),
    initial,
  );

/** The name of an interface, or how such names begin; '' for none. */
export const interfaceName = (): FieldType<string> =>
  checkedText((value) => (value === '' ? undefined : placeProblem(value)));

const notRange = (cidr: string) =>
  parseCidr(cidr) ? [] : [`${JSON.stringify(cidr)} is not a range such as 10.0.0.0/8`];

/** A range, or one of each family with a comma between them; '' for none. */
export const rangePair = (): FieldType<string> =>
  checkedText((value) => {
    if (value === '') return undefined;
    const parts = value.split(',');
    const [problem] = parts.flatMap(notRange);
    if (problem !== undefined) return problem;
    const families = new Set(parts.map((part) => parseCidr(part)?.family));
    return families.size === parts.length
      ? undefined
      : `${JSON.stringify(value)} has several ranges of one family`;
  });

/** Ranges of the node's addresses, or `primary` alone. */
export const nodePortRanges = (): FieldType<readonly string[]> => ({
  initial: [],
  claim: {},
  encode: (value) => value,
  decode(value, path, report) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
      report.error(path, `${JSON.stringify(value)} is not a list of strings`);
      return [];
    }
    if (value.includes('primary') && value.length > 1)
      report.error(path, "can't use both 'primary' and ranges");
    else if (value[0] !== 'primary')
      for (const problem of value.flatMap(notRange)) report.error(path, problem);
    return value;
  },
});

/** Feature gates: known ones, each at its default. */
export const gates = (): FieldType<Readonly<Record<string, boolean>>> => ({
  initial: {},
  claim: {
    refused: [
      {
        values: 'unknown gates; known ones at another value than their default',
        why: 'no gate of kube-proxy switches anything here',
      },
    ],
  },
  encode: (value) => value,
  decode(value, path, report) {
    if (!isMap(value)) {
      report.error(path, `${JSON.stringify(value)} is not a map of true and false`);
      return {};
    }
    for (const name of Object.keys(value)) {
      const state = ownValue(value, name);
      const problem =
        typeof state === 'boolean'
          ? gateProblem(name, state, { facts: gateFacts(name), cannot: 'wherry network can not switch it' })
          : `${JSON.stringify(state)} is not true or false`;
      if (problem !== undefined) report.error(`${path}.${name}`, problem);
    }
    return value as Record<string, boolean>;
  },
});
