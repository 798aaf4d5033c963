import { type Pod, plainEnvironmentName, type Service } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { parseLabels } from '../../words/label-pairs.ts';
import { wholeNumber } from '../../words/whole-number.ts';

/** What the pod is to be like. */
export interface PodFlags {
  image: string;
  imagePullPolicy?: string;
  command?: boolean;
  /** `NAME=value`. */
  env?: string[];
  /** `KEY=VALUE,…`. */
  labels?: string;
  /** `KEY=VALUE`. */
  annotations?: string[];
  port?: string;
  restart: string;
  privileged?: boolean;
  stdin?: boolean;
  leaveStdinOpen?: boolean;
  tty?: boolean;
}

/** A pod of one container. Throws `CommandError`. */
export function podOf(name: string, words: readonly string[], flags: PodFlags): Pod {
  const { image, imagePullPolicy, stdin, tty, privileged } = flags;
  const env = (flags.env ?? []).map(variableOf);
  const annotations = annotationsOf(flags.annotations ?? []);
  const labels = labelsOf(flags) ?? { run: name };
  const ports = flags.port ? [{ containerPort: wholeNumber(flags.port) }] : undefined;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, ...(annotations && { annotations }) },
    spec: {
      containers: [
        {
          name,
          image,
          ...(words.length > 0 && { [flags.command ? 'command' : 'args']: [...words] }),
          ...(ports && { ports }),
          ...(env.length > 0 && { env }),
          // What the words may be, the command line has checked.
          ...(imagePullPolicy && { imagePullPolicy: imagePullPolicy as 'Always' }),
          ...(privileged && { securityContext: { privileged } }),
          ...(stdin && { stdin, ...(!flags.leaveStdinOpen && { stdinOnce: true }) }),
          ...(tty && { tty }),
        },
      ],
      restartPolicy: (flags.restart || 'Always') as 'Always',
      dnsPolicy: 'ClusterFirst',
    },
  };
}

/** The service of `--expose`, by which the pod is reached at its port. Throws `CommandError`. */
export function serviceOfPod(name: string, flags: PodFlags): Service {
  const port = wholeNumber(flags.port ?? '');
  const labels = labelsOf(flags);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, ...(labels && { labels }) },
    spec: { ports: [{ protocol: 'TCP', port, targetPort: port }], selector: labels ?? { run: name } },
  };
}

const labelsOf = ({ labels }: PodFlags) => (labels ? parseLabels(labels) : undefined);

function variableOf(text: string): { name: string; value?: string } {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || plainEnvironmentName(name).length > 0)
    throw new CommandError(`invalid env: ${text}`);
  return { name, ...(value && { value }) };
}

function annotationsOf(pairs: readonly string[]): Record<string, string> | undefined {
  const wrong = pairs.filter((pair) => !/^[^=]+=/.test(pair));
  if (wrong.length > 0) throw new CommandError(`invalid annotations format: ${wrong.join(', ')}`);
  const entries = pairs.map((pair) => [pair.replace(/=.*/s, ''), pair.replace(/^[^=]*=/, '')]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
