import { defaultDataDir } from '@wherry/node';
import type { Demo } from './demo.ts';

/** What a node that is up is called by. */
export interface NextSteps {
  kubeconfig: string;
  /** The kubeconfig of the user who called sudo, where the node is the current context now. */
  shared: string | undefined;
  /** What the demo runs. */
  demo: Demo | undefined;
  /** Whether pods outlive this command. */
  keepPods: boolean;
  /** The node's folder. */
  dataDir: string;
  /** Whether the node outlives this command. */
  isDetached: boolean;
}

/** What can be typed next. */
export function nextSteps({ kubeconfig, shared, demo, keepPods, dataDir, isDetached }: NextSteps): string {
  const commands = demo
    ? [
        'kubectl get pods -o wide',
        `kubectl exec -it ${demo.pod} -- sh`,
        `kubectl exec ${demo.pod} -- wget -qO- http://${demo.service}`,
        `kubectl logs -f ${demo.pod}`,
      ]
    : [
        'kubectl get nodes -o wide',
        `npx wherry image list${dataDirFlag(dataDir)}`,
        'kubectl run NAME --image=IMAGE',
      ];
  const end = isDetached
    ? `npx wherry down${dataDirFlag(dataDir)} ends it`
    : `Ctrl-C ends the node${keepPods ? ', and its containers run on' : ' and its pods'}`;
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

const dataDirFlag = (dataDir: string) => (dataDir === defaultDataDir ? '' : ` --data-dir ${dataDir}`);
