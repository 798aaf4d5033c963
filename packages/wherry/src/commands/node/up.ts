import { contextNameOf, defaultDataDir, layoutOf, startNode, stopNode, watchProcesses } from '@wherry/node';
import { forgetKubeconfig, shareKubeconfig } from '../../kubeconfig/share.ts';
import { Steps } from '../../output/steps.ts';
import { startDemo } from './demo.ts';
import { checkMachine } from './preflight.ts';

/** Options of `wherry up`. */
export interface UpOptions {
  dataDir: string;
  name?: string;
  apiPort?: number;
  kubeletPort?: number;
  registryConfig?: string;
  detach?: boolean;
  demo?: boolean;
  /** Seconds. */
  readyTimeout: number;
}

/** Brings a node up; in the foreground it stays until Ctrl-C, which ends the node and its pods. */
export async function up(options: UpOptions): Promise<void> {
  checkMachine();
  const layout = layoutOf(options.dataDir);
  const readyTimeoutMs = options.readyTimeout * 1000;
  const steps = new Steps();
  steps.say(`wherry: bringing up the node in ${layout.dataDir}`);
  const interrupted = options.detach ? undefined : onInterrupt();
  const { name, apiPort, kubeletPort, registryConfig } = options;
  const choices = { name, apiPort, kubeletPort, registryConfig };
  const node = await startNode(layout, { ...choices, readyTimeoutMs, progress: steps });
  const demo = options.demo
    ? await startDemo({ layout, client: node.client, steps, timeoutMs: readyTimeoutMs })
    : undefined;
  node.client.close();
  steps.say(`\nready in ${steps.elapsedSeconds} s`);
  const shared = shareKubeconfig(layout.kubeconfig, steps);
  const downFlags = options.detach ? dataDirFlag(options.dataDir) : undefined;
  steps.say(nextSteps({ kubeconfig: layout.kubeconfig, shared, demo, downFlags }));
  if (!interrupted) return;
  await Promise.race([interrupted, watchProcesses(layout, { progress: steps })]);
  steps.say('\nending the node and its pods');
  await stopNode(layout, { progress: new Steps() });
  forgetKubeconfig(contextNameOf(layout, node.record), steps);
}

/** Resolves on the first Ctrl-C or SIGTERM; a second one ends this command at once. */
function onInterrupt(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

function dataDirFlag(dataDir: string): string {
  return dataDir === defaultDataDir ? '' : ` --data-dir ${dataDir}`;
}

interface NextSteps {
  kubeconfig: string;
  /** The kubeconfig of the user who called sudo, where the node is the current context now. */
  shared: string | undefined;
  demo: string | undefined;
  /** Flags of `down` for a node that lives on. */
  downFlags: string | undefined;
}

function nextSteps({ kubeconfig, shared, demo, downFlags }: NextSteps): string {
  const pod = demo ?? 'POD';
  const commands = demo
    ? [`kubectl get pods -o wide`, `kubectl exec -it ${pod} -- sh`, `kubectl logs -f ${pod}`]
    : ['kubectl get nodes -o wide', 'npx wherry image list', `kubectl run NAME --image=IMAGE`];
  const end =
    downFlags === undefined ? 'Ctrl-C ends the node and its pods' : `npx wherry down${downFlags} ends it`;
  return [
    `kubeconfig: ${kubeconfig}${shared === undefined ? '' : `, and the current context of ${shared}`}`,
    '',
    'try:',
    ...(shared === undefined ? [`  export KUBECONFIG=${kubeconfig}`] : []),
    ...commands.map((command) => `  ${command}`),
    '',
    end,
  ].join('\n');
}
