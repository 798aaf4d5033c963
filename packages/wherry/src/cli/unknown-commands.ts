import { ownValue } from '@wherry/kubeapi';
import type { Command } from 'commander';

/** What people type that this program calls otherwise. */
const otherNames: Record<string, string> = {
  start: 'wherry up',
  stop: 'wherry down',
  destroy: 'wherry down --purge',
  ps: 'wherry get pods, or wherry cri ps for containers',
  pods: 'wherry get pods',
  nodes: 'wherry get nodes',
  images: 'wherry image list',
  pull: 'wherry image pull IMAGE',
  push: 'wherry image push IMAGE',
  load: 'wherry image load FILE',
  build: 'wherry image build NAME --from DIR',
  rmi: 'wherry image remove IMAGE',
  rm: 'wherry delete pod NAME, or wherry image remove IMAGE',
  ls: 'wherry get pods, or wherry image list',
  shell: 'wherry exec -it POD -- sh',
  ssh: 'wherry exec -it POD -- sh',
  inspect: 'wherry describe pod NAME, or wherry image inspect IMAGE',
  info: 'wherry status',
};

/** Says what to type instead of a command that is not there. */
export function withCommandHints(program: Command): Command {
  return program.showSuggestionAfterError(true).configureOutput({
    outputError(text, write) {
      const [, name = ''] = /^error: unknown command '(.+?)'/.exec(text) ?? [];
      const hint = name === '' ? undefined : hintFor(name);
      write(hint === undefined ? withHelp(text, name) : `error: wherry has no command "${name}"; ${hint}\n`);
    },
  });
}

function hintFor(name: string): string | undefined {
  const other = ownValue(otherNames, name);
  return other === undefined ? undefined : `what you mean is: ${other}`;
}

const withHelp = (text: string, name: string) =>
  name === '' ? text : `${text.trimEnd()}\n"wherry --help" lists the commands\n`;
