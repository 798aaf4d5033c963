/** kubectl and wherry through the gateways of docs/gateways.md: Node's servers, Express, Fastify and Hono in front of a node. */
import { after } from 'node:test';
import { scriptPod, TestNode } from '../e2e/node.ts';
import { checkGateways } from './peers/gateway-checks.ts';
import { tickerScript } from './peers/session-checks.ts';

let node: TestNode;

checkGateways(async () => {
  node = await TestNode.start();
  await node.apply(scriptPod('ticker', tickerScript));
  return node.kubeconfig;
});

after(() => node?.remove());
