import {
  all,
  deleteAndLook,
  isOver,
  isReady,
  isRunning,
  restarted,
  type Story,
  script,
  stay,
  waits,
} from '../story.ts';

/** What kubectl and the API are answered. */
export const questions: readonly Story[] = [
  {
    name: 'exec',
    spec: {
      containers: [
        script(stay),
        script(stay, { name: 'other', workingDir: '/gone', command: ['sh', '-c', `rmdir /gone; ${stay}`] }),
      ],
    },
    until: isReady,
    async next({ ask, name }) {
      const exec = (...words: string[]) => ask('exec', name, ...words);
      await exec('-c', 'absent', '--', 'true');
      await exec('-c', 'main', '--', '/no/such');
      await exec('-c', 'main', '--', 'no-such');
      await exec('-c', 'main', '--', '/etc');
      await exec('-c', 'main', '--', '/plain');
      await exec('-c', 'main', '--', '/broken');
      await exec('-c', 'main', '--', '/garbage');
      await exec('-c', 'main', '--', 'sh', '-c', 'exit 7');
      await exec('-c', 'main', '--', 'sh', '-c', 'kill -9 $$');
      await exec('-c', 'main', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3');
      await exec('-c', 'main', '--', 'env');
      await exec('-c', 'main', '--', 'sh', '-c', 'pwd; id; umask; ls -l /proc/self/fd | wc -l');
      await exec('-c', 'main', '-t', '--', 'sh', '-c', 'echo $TERM; stty -a | head -1; tty; env');
      await exec('-c', 'other', '--', 'pwd');
      await exec('-c', 'main', '--', '');
      await ask('attach', name, '-c', 'absent');
      await ask('port-forward', name, 'nonsense');
    },
  },
  {
    name: 'exec-in-what-is-over',
    spec: { restartPolicy: 'Never', containers: [script('echo done')] },
    async next({ ask, name, get }) {
      await ask('exec', name, '--', 'true');
      await ask('attach', name);
      await ask('port-forward', name, ':80');
      await ask('logs', name, '--previous');
      await get('log?follow=true');
    },
  },
  {
    name: 'exec-in-what-crashes',
    spec: { containers: [script('exit 1'), script(stay, { name: 'other' })] },
    until: all(restarted(1), waits('CrashLoopBackOff')),
    async next({ ask, name }) {
      await ask('exec', name, '-c', 'main', '--', 'true');
      await ask('attach', name, '-c', 'main');
    },
  },
  {
    name: 'exec-in-what-waits',
    spec: {
      containers: [{ name: 'main', image: 'stories.test/absent:1' }],
      initContainers: [script('true', { name: 'before' })],
    },
    until: waits('ImagePullBackOff'),
    async next({ ask, name, get }) {
      await ask('exec', name, '--', 'true');
      await ask('exec', name, '-c', 'before', '--', 'true');
      await ask('attach', name);
      await ask('logs', name);
      await ask('logs', name, '-c', 'absent');
      await ask('logs', name, '--previous');
      await get('log?container=main');
      await get('log?container=before');
      await get('log?container=before&previous=true');
    },
  },
  {
    name: 'logs',
    spec: {
      restartPolicy: 'Never',
      containers: [
        script(
          'echo one; echo two >&2; sleep 0.3; printf "no end"; sleep 0.3; echo; head -c 20000 /dev/zero | tr "\\0" x; echo; printf last',
        ),
      ],
    },
    async next({ ask, name, get }) {
      await get('log?tailLines=2');
      await get('log?tailLines=0');
      await get('log?tailLines=-1');
      await get('log?limitBytes=7');
      await get('log?limitBytes=7&tailLines=1');
      await get('log?limitBytes=0');
      await get('log?timestamps=true&tailLines=3');
      await get('log?sinceSeconds=1000');
      await get('log?sinceTime=2099-01-01T00:00:00Z');
      await get('log?sinceTime=nonsense');
      await get('log?sinceSeconds=0');
      await get('log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z');
      await get('log?container=absent');
      await get('log?container=');
      await get('log?stream=Stderr');
      await get('log?stream=Stdout&tailLines=1');
      await get('log?stream=Sideways');
      await get('log?previous=true');
      await get('log?follow=nonsense');
      await ask('logs', name, '--prefix', '--tail=1');
    },
  },
  {
    name: 'logs-odd',
    spec: {
      restartPolicy: 'Never',
      containers: [script('printf "a\\r\\nb\\000c\\n\\377\\n\\n  spaces \\ttab\\n"; printf "é\\n" >&2')],
    },
    async next({ get }) {
      await get('log?tailLines=2&limitBytes=3');
      await get('log?limitBytes=1');
      await get('log?limitBytes=-1');
      await get('log?tailLines=1000000');
      await get('log?sinceSeconds=-1');
      await get('log?insecureSkipTLSVerifyBackend=true&tailLines=1');
    },
  },
  {
    name: 'logs-of-two',
    spec: { restartPolicy: 'Never', containers: [script('echo one'), script('echo two', { name: 'other' })] },
    async next({ ask, name, get }) {
      await get('log');
      await ask('logs', name);
      await ask('logs', name, '--all-containers');
      await ask('exec', name, '--', 'true');
    },
  },
  {
    name: 'logs-while-it-runs',
    spec: {
      containers: [
        script(
          'i=0; while [ $i -lt 5 ]; do echo $i; i=$((i+1)); done; trap "exit 0" TERM; while :; do sleep 0.2; done',
        ),
      ],
    },
    until: isReady,
    async next({ ask, name, get }) {
      await get('log?container=main&follow=true&limitBytes=4');
      await get('log?container=main&previous=true');
      await ask('exec', name, '-c', 'main', '--', 'cat', '/etc/hostname');
      await ask('exec', name, '-c', 'main', '--', 'sh', '-c', 'exit 126');
      await ask('exec', name, '-c', 'main', '--', 'sh', '-c', 'kill -TERM $$');
      await ask('exec', `${name}-absent`, '--', 'true');
      await ask('logs', `${name}-absent`);
      await get('exec?command=true&container=main');
      await get('exec?container=main&stdout=true');
      await get('attach?container=main&stdout=true');
      await get('portforward?ports=nonsense');
    },
  },
  {
    name: 'terminal',
    spec: {
      containers: [
        script('tty; stty -a | head -1; echo $TERM; ls -l /dev/console | cut -c1-10; cat', {
          tty: true,
          stdin: true,
        }),
      ],
    },
    until: isRunning,
  },
  {
    name: 'stdin-once',
    spec: {
      restartPolicy: 'Never',
      containers: [script('cat; echo over', { stdin: true, stdinOnce: true })],
    },
    until: isRunning,
    next: deleteAndLook,
  },
  {
    name: 'no-stdin',
    spec: {
      restartPolicy: 'Never',
      containers: [script('cat; echo over; ls -l /proc/self/fd/0 | sed "s/.*->//"')],
    },
    until: isOver,
  },
];
