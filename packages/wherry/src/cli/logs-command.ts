import { parseWhole } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { LogsFlags } from '../commands/kube/logs.ts';
import { parseDuration, parsePodTimeout } from './flags/duration.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { parseInteger } from './flags/options.ts';
import { usageError } from './flags/usage-errors.ts';

const defaultLogRequestsMax = 5;
const defaultPodTimeoutMs = 20_000;
const expected =
  "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\n" +
  'POD or TYPE/NAME is a required argument for the logs command';

/** `logs`. */
export function addLogs(program: Command): Command {
  const command = withKubeFlags(program.command('logs'))
    .description("print a container's log")
    .usage('[-f] [-p] (POD | TYPE/NAME) [-c CONTAINER] [flags]')
    .argument('[words...]', 'pod or TYPE/NAME; then a container, if not by -c');
  return withRangeFlags(withSourceFlags(command)).action(
    async (words: string[], flags: LogsFlags, self: Command) => {
      refuseWords(words, flags, self);
      const [target, inline] = words;
      if (inline !== undefined && flags.container !== undefined) {
        self.error('error: only one of -c or an inline [CONTAINER] arg is allowed');
      }
      const container = flags.container ?? inline;
      const { logs } = await import('../commands/kube/logs.ts');
      await logs(target, { ...flags, ...(container === undefined ? {} : { container }) });
    },
  );
}

function withSourceFlags(command: Command): Command {
  return command
    .option('-c, --container <name>', 'container (default: the annotated one, else the first)')
    .option('--all-containers', 'all containers of the pod')
    .option('--all-pods', 'all pods behind TYPE/NAME; with --prefix')
    .option('-l, --selector <selector>', 'pods that the label selector finds')
    .option('--prefix', 'name pod and container in front of each line')
    .option('--max-log-requests <n>', 'logs followed at once', parseWhole, defaultLogRequestsMax)
    .option('--ignore-errors', 'print what goes wrong with one log, and go on with the others')
    .option('--insecure-skip-tls-verify-backend', "don't check the certificate of the kubelet")
    .addOption(
      new Option('--pod-running-timeout <duration>', 'how long to wait for a pod to be there')
        .argParser(parsePodTimeout)
        .default(defaultPodTimeoutMs, '20s'),
    );
}

function withRangeFlags(command: Command): Command {
  return command
    .option('-f, --follow', 'go on as more is written; a cut connection is resumed')
    .option('--tail <lines>', 'the last so many lines (default: all, 10 with a selector)', parseInteger)
    .option('--since <duration>', 'newer than this, e.g. 10m', parseDuration)
    .option('--since-time <time>', 'newer than this time (RFC 3339)')
    .option('--timestamps', 'a timestamp in front of each line')
    .option('-p, --previous', 'the instance before the last restart')
    .option('--limit-bytes <bytes>', 'at most so many bytes', parseInteger);
}

function refuseWords(words: readonly string[], { selector }: LogsFlags, self: Command): void {
  const inlineMax = 2;
  if (words.length > inlineMax || (words.length === 0 && !selector)) usageError(self, expected);
  if (words.length === 1 && selector) {
    usageError(self, 'only a selector (-l) or a POD name is allowed');
  }
}
